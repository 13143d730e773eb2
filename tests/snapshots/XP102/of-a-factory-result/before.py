import torch

h = torch.zeros(1, 2).cuda()
noise = torch.randn(4, 4).cuda()
c = torch.nn.CrossEntropyLoss().cuda()
