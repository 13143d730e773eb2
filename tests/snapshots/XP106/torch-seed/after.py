import torch
import torch_xla

torch.manual_seed(0)
torch_xla.manual_seed(0)
