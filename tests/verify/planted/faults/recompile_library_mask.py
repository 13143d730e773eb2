# planted: recompile@mask seen@barrier, fallback@mask
# A library selects the valid rows.
import torch
import torch_xla
from pocket.ops import valid
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


for step in range(12):
    rows = valid(torch.randn(64, 8).to(device))  # <- mask
    train_step(rows)
    torch_xla.sync()  # <- barrier
