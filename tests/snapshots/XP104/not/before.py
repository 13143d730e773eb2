import torch

cpu_only = not torch.cuda.is_available()
