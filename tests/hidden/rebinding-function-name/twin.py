"""The name is bound again to one that stacks."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

texts = [torch.randint(1, 40, (5 + n % 6,)) for n in range(48)]


def to_longest(items):
    return pad_sequence(items, batch_first=True)  # never: XP413


def cut(items):
    return torch.stack([item[:5] for item in items])


join = cut
loader = DataLoader(texts, batch_size=8, collate_fn=join)
model = nn.Sequential(nn.Embedding(40, 12), nn.Linear(12, 1)).cuda()
optimizer = torch.optim.Adam(model.parameters())
for ids in loader:
    loss = model(ids.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
