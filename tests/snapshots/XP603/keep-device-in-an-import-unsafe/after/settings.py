import torch

ONE = torch.ones(1, device="cuda")
