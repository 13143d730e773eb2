import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    x = torch.randn(step + 1, 8, device=device)
    mask = torch.ones((8, step)).to(device)
    places = torch.arange(step, device=device)
    window = torch.arange(step, step + 8, device=device)
    eye = x.new_zeros(3, step)
    padded = nn.functional.pad(x, (0, 0, 0, 1000 - step))
    loss = model(x).mean() + mask.mean() + places.sum() + window.sum() + eye.sum() + padded.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
