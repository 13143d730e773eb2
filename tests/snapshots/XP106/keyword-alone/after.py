import torch
import torch_xla

torch.manual_seed(seed=5)
torch_xla.manual_seed(5)
