# planted: host-read
# The metric of a library reads what it is given, two calls down.
import torch
import torch_xla
from pocket.metrics import Mean
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
mean = Mean()


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    mean.update(loss)  # <- here
print(mean.total / mean.count)
