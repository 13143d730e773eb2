import torch

wait = torch.cuda.synchronize
