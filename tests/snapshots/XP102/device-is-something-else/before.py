import torch

device = "kitchen timer"
x = torch.zeros(3).cuda()
