import torch_xla as xla

device = xla.device()
