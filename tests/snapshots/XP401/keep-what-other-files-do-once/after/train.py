import torch
from torch import nn

from tables import crop, spread

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = crop(torch.randn(1000, 8, device=device))


def run(loader):
    for step, batch in enumerate(loader):
        loss = model(batch.to(device)).mean() + spread(inputs, step).mean() + spread(inputs, 3).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
