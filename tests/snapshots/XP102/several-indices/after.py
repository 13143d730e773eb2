import torch
import torch_xla

x = torch.zeros(3).to(torch_xla.device())
y = torch.zeros(3).to(torch_xla.device())
