import torch

check = torch.cuda.is_available
