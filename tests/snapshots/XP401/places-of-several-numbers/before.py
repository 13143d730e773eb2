import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(640, 4).to(device)
losses = torch.zeros(3, 40, device=device)
norms = torch.zeros(3, 2, 40, device=device)
parts = torch.zeros(2, 3, 40, device=device)
apart = torch.zeros(3, 2, 40, device=device)
for epoch in range(30):
    for step in range(40):
        loss = model(inputs).mean()
        loss.backward()
        losses[epoch, step] = loss.detach()
        norms[epoch, 0, step] = model.weight.detach().norm()
        parts[:, epoch, step] = model.weight.detach()[0, :2]
        apart[epoch, :, step] = model.weight.detach()[0, :2]
        optimizer.step()
