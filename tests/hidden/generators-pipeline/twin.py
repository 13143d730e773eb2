"""The slice has one length in all steps."""
import torch
from torch import nn


def counted(limit):
    for number in range(2, limit):
        yield number


def prefixes(text, limit):
    for number in counted(limit):
        yield text[:, :8]  # never: XP401|XP404


text = torch.randint(30, (4, 40)).cuda()
model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)).cuda()
optimizer = torch.optim.Adam(model.parameters())
for ids in prefixes(text, 30):
    loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
