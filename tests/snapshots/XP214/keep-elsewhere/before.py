import copy

import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(4, 2).to(device)
host = nn.Linear(4, 2)
host.load_state_dict(net.state_dict())
host.to(device)
average = nn.Linear(4, 2).to(device)
for slow, fast in zip(average.parameters(), net.parameters()):
    slow.data.copy_(slow.data * 0.9 + fast.data * 0.1)
twin = copy.deepcopy(net)
saved = nn.Linear(4, 2).to(device)
saved.load_state_dict(torch.load("saved.pt", map_location="cpu"))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def update(target, net):
    target.load_state_dict(net.state_dict())


class Kept:
    def load_state_dict(self, state):
        self.state = state


kept = Kept()
kept.load_state_dict(net.state_dict())
