import torch_xla

dev = torch_xla.device()
