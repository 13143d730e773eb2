import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.fc.weight.requires_grad = False
        self.fc.bias.data.zero_()
        self.names = [n for n, p in self.named_parameters()]
        self.ema = {n: p.detach().clone() for n, p in self.named_parameters()}
        self.every = nn.ParameterList([self.fc.weight])
        self.fc.register_forward_hook(lambda *args: None)
        self.register_full_backward_hook(lambda *args: None)
        for p in self.parameters():
            p.requires_grad_(False)
        self.kept = list(self.parameters())


def main():
    net = Net()
    total = sum(p.numel() for p in net.parameters())
    norms = [p.norm() for p in net.parameters()]
    lazy = (p for p in net.parameters())
    ready = filter(lambda p: p.requires_grad, net.parameters())
    for p in net.parameters():
        p.requires_grad = False
        print(p.shape)
    only_here = list(net.parameters())
    print(len(only_here))
    net.to("cuda")
    return total, norms, lazy, ready
