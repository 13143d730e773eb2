import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

tokens = torch.zeros(8, 64, 4, device=device)


def aligned(values, width):
    length = values.shape[1]
    return values[:, length - width :]


def doubled(values):
    return values * 2


for step in range(4, 64):
    loss = model(tokens[:, :step]).sum()
    loss = loss + aligned(tokens[:, :step], 4).sum()
    loss = loss + doubled(tokens[:, :step]).sum()
    loss = loss + tokens[:, :step].float()[:, -1].sum()
    part = tokens[:, :step]
    loss = loss + part.flip(1).sum()
    loss.backward()
    optimizer.step()
