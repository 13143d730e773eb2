import torch

x = torch.zeros(3).cuda(0)
y = torch.zeros(3).cuda(1)
