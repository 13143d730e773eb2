import torch

dtype = torch.bfloat16
