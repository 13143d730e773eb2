import torch

torch.cuda.manual_seed(1)
