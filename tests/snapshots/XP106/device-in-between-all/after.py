import numpy as np
import torch
import torch_xla

torch.manual_seed(0)
np.random.seed(0)
device = torch_xla.device()
torch_xla.manual_seed(0)
print(torch.rand(2, device=device).cpu())
