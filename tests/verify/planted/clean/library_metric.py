# The metric of a library adds up on the device and is read at the end.
import torch
import torch_xla
from pocket.metrics import DeviceMean
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for epoch in range(2):
    mean = DeviceMean()
    for step in range(6):
        mean.update(train_step(torch.randn(4, 8).to(device)))
        torch_xla.sync()
    print(epoch, mean.compute())
