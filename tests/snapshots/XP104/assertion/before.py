import torch

assert torch.cuda.is_available(), "a GPU is needed"
