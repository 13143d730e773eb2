# Inference by torch.compile.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device).eval()
compiled = torch.compile(model, backend="openxla")
with torch.no_grad():
    for step in range(8):
        y = compiled(torch.randn(4, 8).to(device))
        torch_xla.sync()
print(y.sum().item())
