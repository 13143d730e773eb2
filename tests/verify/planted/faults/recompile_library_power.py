# planted: recompile@cause seen@barrier
# A library anneals by the step: the graph's constant is made there, at the wish of this script.
import torch
import torch_xla
from pocket.ops import anneal
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(10):
    optimizer.zero_grad()
    anneal(model(torch.randn(4, 8).to(device)), step).mean().backward()  # <- cause
    optimizer.step()
    torch_xla.sync()  # <- barrier
