import torch

USE_CUDA = torch.cuda.is_available()
if USE_CUDA:
    print("yes")
