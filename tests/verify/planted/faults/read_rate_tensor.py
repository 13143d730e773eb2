# planted: host-read, extra-execution
# A rate that is a tensor on the device: Adam reads it for each parameter, unless it is told to be capturable.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
rate = torch.tensor(0.1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=rate)

for step in range(9):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()  # <- here
    rate.mul_(0.9)
    torch_xla.sync()
