import torch
import torch_xla

model = torch.nn.Linear(4, 1).to(torch_xla.device())
ones = torch.ones(2, device=torch_xla.device())
longs = torch.ones(2).to(model.weight.dtype)
