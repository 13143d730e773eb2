"""The base class, which cuts, is the one that is made."""
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
        return pad_sequence(items, batch_first=True)  # never: XP413


items = [torch.randn(2 + n % 3, 3) for n in range(30)]
task = Task()
model = nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in task.loader(items):
    loss = model(x.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
