import torch

has_cuda = torch.cuda.is_available
if has_cuda():
    print("fast")
