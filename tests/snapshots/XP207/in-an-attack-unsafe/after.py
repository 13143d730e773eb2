import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
x = torch.randn(1, 4, device=device)
for _ in range(100):
    x.requires_grad_()
    out = model(x)
    out.sum().backward()
    x = (x + 0.1 * x.grad.sign()).detach()
    model.zero_grad()
    torch_xla.sync()
