"""The names are those of a slice, not of a mask."""
import torch
from torch import nn

model = nn.Sequential(nn.Embedding(50, 16), nn.Linear(16, 50)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(25):
    ids = torch.randint(50, (4, 12), device="cuda")
    labels = torch.randint(-1, 50, (4, 12), device="cuda")
    known = slice(0, 2)
    chosen = known
    where = chosen
    logits = model(ids)
    picked = logits[where]  # never: XP408|XP412|XP406
    loss = picked.logsumexp(-1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
