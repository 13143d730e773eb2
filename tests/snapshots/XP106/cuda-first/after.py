import torch
import torch_xla

torch_xla.manual_seed(7)
torch.manual_seed(7)
