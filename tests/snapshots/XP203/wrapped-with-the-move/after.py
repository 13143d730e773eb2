import torch
import torch_xla
from torch import nn


class Scaled(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.scale * self.net(x)


first = nn.Linear(4, 1)
first.to(torch_xla.device())
of_first = torch.optim.SGD(first.parameters(), lr=0.1)
first = Scaled(first).cuda()

second = nn.Linear(4, 1)
second.to(torch_xla.device())
of_second = torch.optim.SGD([{"params": second.weight}, {"params": [second.bias], "lr": 0.2}], lr=0.1)
second = nn.DataParallel(second).cuda()

third = nn.Linear(4, 1)
third.to(torch_xla.device())
of_third = torch.optim.SGD(third.parameters(), lr=0.1)
third.load_state_dict(torch.load("third.pt", map_location="cpu"))
third = nn.DataParallel(third.cuda())

fourth = nn.Linear(4, 1)
fourth = nn.DataParallel(fourth).cuda()
of_fourth = torch.optim.SGD(fourth.parameters(), lr=0.1)
