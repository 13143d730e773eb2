import torch

x = torch.zeros(3)
if x.is_cuda:
    print("fast")
device = torch.device("cuda" if x.is_cuda else "cpu")
