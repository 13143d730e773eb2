import torch
import torch_xla

a = torch.zeros(3).to(torch_xla.device())
b = torch.zeros(3).to(torch_xla.device())
c = torch.zeros(3).to(torch_xla.device())
