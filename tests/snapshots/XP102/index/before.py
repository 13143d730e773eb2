import torch

a = torch.zeros(3).cuda(0)
b = torch.zeros(3).cuda(device=1)
c = torch.zeros(3).cuda("cuda:1")
