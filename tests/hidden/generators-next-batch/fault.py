"""A method takes batch after batch from an iterator that it begins again, with the smaller last ones."""
import torch
from torch import nn
from torch.utils.data import DataLoader

rows = torch.randn(50, 4)
feed = DataLoader(rows, batch_size=16, shuffle=True)  # wants: XP420
batches = iter(feed)
model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(12):
    try:
        x = next(batches)
    except StopIteration:
        batches = iter(feed)
        x = next(batches)
    loss = model(x.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
