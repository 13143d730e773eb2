import torch
import torch_xla

import lib

x = torch.ones(3).to(torch_xla.device())
if lib.kind() == "xla":
    x = x * 2
print(x.sum().item())
