import torch

from net import Net

net = Net().cuda()
torch.save(net, "net.pt")
