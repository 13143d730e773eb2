import torch
import torch_xla

model = torch.nn.Linear(2, 2).to(torch_xla.device())
