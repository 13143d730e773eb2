import copy

import torch
import torch_xla
from torch import nn


class Agent:
    def __init__(self, device):
        self.actor = nn.Linear(4, 2).to(device)
        self.critic = nn.Linear(4, 1).to(device)
        self.old_actor = nn.Linear(4, 2).to(device)
        self.old_critic = nn.Linear(4, 1).to(device)
        torch_xla.sync()
        self.old_actor.load_state_dict(self.actor.state_dict())
        self.old_critic.load_state_dict(copy.deepcopy(self.critic.state_dict()), strict=True)
        self.optimizer = torch.optim.Adam(self.critic.parameters())


def main():
    device = torch.device("cuda")
    net, target = nn.Linear(4, 2), nn.Linear(4, 2)
    net.to(device)
    target.to(device)
    with torch.no_grad():
        torch_xla.sync()
        for new, old in zip(net.parameters(), target.parameters()):
            old.data.copy_(new.data)
            old.requires_grad = False
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    return net, target, optimizer


first, second = nn.Linear(2, 2).cuda(), nn.Linear(2, 2).cuda()
torch_xla.sync()
second.load_state_dict(first.state_dict())
