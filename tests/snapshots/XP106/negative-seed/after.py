import torch
import torch_xla

torch.manual_seed(-1)
torch_xla.manual_seed(torch.initial_seed())
