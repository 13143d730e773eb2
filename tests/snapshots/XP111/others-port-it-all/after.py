import torch
import torch_xla

device = "xla"
x = torch.zeros(3, device=device)
y = x.to(torch_xla.device())
