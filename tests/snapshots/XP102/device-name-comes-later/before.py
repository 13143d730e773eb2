import torch

x = torch.zeros(3).cuda()
device = torch.device("cuda")
