# planted: host-read@meeting
# All replicas exchange their loss in each step: torch_xla makes that of several small graphs and reads.
import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(12):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if xm.mesh_reduce("done", step > 20, any):  # <- meeting
        break
