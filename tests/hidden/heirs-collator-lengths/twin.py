"""The base's fixed length is used."""
import torch
from torch import nn
from torch.utils.data import DataLoader


class Collator:
    limit = 32

    def length(self, batch):
        return self.limit

    def __call__(self, batch):
        ids = torch.zeros(len(batch), self.length(batch), dtype=torch.long)
        for row, item in zip(ids, batch):
            row[: len(item)] = item
        return ids


class Tight(Collator):
    def length(self, batch):
        return max(map(len, batch))  # never: XP413


texts = [torch.randint(1, 40, (5 + n % 20,)) for n in range(64)]
loader = DataLoader(texts, batch_size=8, shuffle=True, drop_last=True, collate_fn=Collator())  # never: XP413
model = nn.Sequential(nn.EmbeddingBag(40, 8, padding_idx=0), nn.Linear(8, 1)).cuda()
optimizer = torch.optim.Adam(model.parameters())
for ids in loader:
    loss = model(ids.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
