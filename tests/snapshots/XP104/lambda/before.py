import torch

check = lambda: torch.cuda.is_available()
