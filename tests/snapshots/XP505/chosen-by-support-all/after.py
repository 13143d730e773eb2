import torch
import torch_xla

dtype = torch.bfloat16
model = torch.nn.Linear(4, 4).to(torch_xla.device(), dtype)
