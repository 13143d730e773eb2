import torch
import torch_xla

device = "kitchen timer"
x = torch.zeros(3).to(torch_xla.device())
