# planted: nothing-executed
# Only the statistics are on the device; the model is trained on the CPU.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # <- here


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


mean = torch.zeros(8).to(device)
for step in range(9):
    x = torch.randn(4, 8)
    train_step(x)
    mean = mean * 0.9 + x.to(device).mean(0) * 0.1
    torch_xla.sync()
