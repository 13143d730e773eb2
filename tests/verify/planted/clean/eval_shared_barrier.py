# A step function with one barrier for training and evaluation: two graphs in one place.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def run(x, train):
    with torch.set_grad_enabled(train):
        loss = model(x).pow(2).mean()
    if train:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch_xla.sync()
    return loss.detach()


for epoch in range(3):
    for step in range(6):
        run(torch.randn(4, 8).to(device), True)
    losses = [run(torch.randn(4, 8).to(device), False) for _ in range(3)]
    print(epoch, torch.stack(losses).mean().item())
