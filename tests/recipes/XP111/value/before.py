import torch
import torch_xla

import lib

lib.start("cuda")
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
