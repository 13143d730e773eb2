import torch
import torch_xla

torch.manual_seed(seed=3)
torch_xla.manual_seed(seed=3)
