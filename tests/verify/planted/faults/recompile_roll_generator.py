# planted: recompile@cause seen@barrier
# A generator of batches that shifts them by a number.
import torch
import torch_xla
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


def batches(count):
    x = torch.randn(4, 64).to(device)
    for number in range(count):
        yield torch.roll(x, number + 2, 1)[:, :8]  # <- cause


for x in batches(10):
    train_step(x)
    torch_xla.sync()  # <- barrier
