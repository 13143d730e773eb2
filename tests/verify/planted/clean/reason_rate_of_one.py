# A rate that warms up to 1: that number is a part of the graph, others are its inputs.
# says: a Python number is -1 at reason_rate_of_one.py:15 (0, 1 and -1 are parts of a graph, others its inputs)
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (1 + step) / 8))
for step in range(20):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    schedule.step()
    torch_xla.sync()
