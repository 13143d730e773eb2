"""The subclass overrides the collate method with one that pads to the longest."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


class Task:
    def collate(self, items):
        return torch.stack([item[:2] for item in items])

    def loader(self, items):
        return DataLoader(items, batch_size=5, collate_fn=self.collate, drop_last=True)


class Ragged(Task):
    def collate(self, items):
        return pad_sequence(items, batch_first=True)  # wants: XP413


items = [torch.randn(2 + n % 3, 3) for n in range(30)]
task = Ragged()
model = nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in task.loader(items):
    loss = model(x.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
