# planted: recompile@mask seen@barrier, fallback@mask
# Rows that are selected by a mask: their number depends on the data.
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


torch.manual_seed(0)
for step in range(12):
    x = torch.randn(64, 8).to(device)
    train_step(x[x[:, 0] > 0])  # <- mask
    torch_xla.sync()  # <- barrier
