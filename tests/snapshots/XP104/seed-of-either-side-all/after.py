import torch
import torch_xla

torch_xla.manual_seed(1)
x = torch.randn(3, device=torch_xla.device())
