# planted: recompile@cause seen@barrier
# An exponent is a constant of the graph, not an input.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def focal(logits, gamma):
    p = logits.sigmoid()
    return (-((1 - p) ** gamma) * torch.log(p)).mean()  # <- cause


for step in range(10):
    optimizer.zero_grad()
    focal(model(torch.randn(4, 8).to(device)), 1.5 + step / 10).backward()
    optimizer.step()
    torch_xla.sync()  # <- barrier
