import torch
import torch_xla
from lib import Net, train

if __name__ == "__main__":
    net = Net().to(torch_xla.device())
    batches = [torch.rand(8, 4).to(torch_xla.device()) for _ in range(10)]
    train(net, batches, torch.optim.SGD(net.parameters(), lr=0.1))
