# A writer's thread gets each tenth loss.
import torch
import torch_xla
from pocket.writer import AsyncWriter
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
writer = AsyncWriter()


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(20):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    if step % 10 == 0:
        writer.add_scalar(loss)
        writer.flush()
