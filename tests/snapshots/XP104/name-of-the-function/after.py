import torch

has_cuda = torch.cuda.is_available
print("fast")
