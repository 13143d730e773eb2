import torch
from torch import nn


def main():
    torch.manual_seed(999)
    net = nn.Linear(3, 1)
    net(torch.rand(2, 3)).sum().backward()
    print(net.weight.grad.abs().sum())


if __name__ == "__main__":
    main()
