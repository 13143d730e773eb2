import torch
from lib import Net, train

if __name__ == "__main__":
    net = Net().cuda()
    batches = [torch.rand(8, 4).cuda() for _ in range(10)]
    train(net, batches, torch.optim.SGD(net.parameters(), lr=0.1))
