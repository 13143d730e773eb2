import torch

reset = lambda: torch.manual_seed(1)
