import torch_xla

torch_xla.manual_seed(1)
