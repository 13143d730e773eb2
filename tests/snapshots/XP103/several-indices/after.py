import torch
import torch_xla

first = torch.zeros(3).to(torch_xla.device())
second = torch.zeros(3).to(torch_xla.device())
third = "xla"
torch.zeros(3, device=third)
