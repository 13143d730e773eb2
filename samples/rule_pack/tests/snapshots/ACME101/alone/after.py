import torch
import torch_xla

batch = torch.zeros(3).to(torch_xla.device())
