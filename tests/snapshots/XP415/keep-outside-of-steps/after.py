import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
weights = torch.rand(4, device=device)
assert (weights >= 0).all()
if weights.sum() > 1:
    weights = weights / weights.sum()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    (model(torch.randn(8, 4, device=device)) * weights).mean().backward()
    optimizer.step()
if torch.isnan(model.weight).any():
    print("NaN")
