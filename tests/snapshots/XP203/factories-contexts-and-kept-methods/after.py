from dataclasses import dataclass, field

import torch
import torch_xla
from torch import nn

first, second, third, fourth = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)


@dataclass
class Run:
    steps: int = 10
    rule: object = field(default_factory=lambda: torch.optim.SGD(first.parameters(), lr=0.1))
    seen: list = field(default_factory=list)


class OnDevice:
    def __init__(self, net):
        self.net = net

    def __enter__(self):
        return self.net

    def __exit__(self, *error):
        self.net.cuda()


run = Run()
first.cuda()
move = second.cuda
second.to(torch_xla.device())
of_second = torch.optim.SGD(second.parameters(), lr=0.1)
move()
third.cuda()
again = third.cuda
of_third = torch.optim.SGD(third.parameters(), lr=0.1)
again()
fourth.to(torch_xla.device())
of_fourth = torch.optim.SGD(fourth.parameters(), lr=0.1)
with OnDevice(fourth):
    print("built")
