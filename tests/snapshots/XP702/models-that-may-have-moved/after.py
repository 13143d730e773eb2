import torch
import torch_xla.core.xla_model as xm
from torch import nn

device = torch.device("cuda")


class Placed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2).to(device)


def helped(model):
    model.cuda()


def in_a_loop():
    net = nn.Linear(4, 2)
    for epoch in range(3):
        xm.save(net.state_dict(), "first.pt")
        net.to(device)


def by_a_helper():
    net = nn.Linear(4, 2)
    helped(net)
    xm.save(net.state_dict(), "second.pt")


def by_another_name():
    net = nn.Linear(4, 2)
    other = net
    other.to(device)
    xm.save(net.state_dict(), "third.pt")


def by_itself():
    net = Placed()
    xm.save(net.state_dict(), "fourth.pt")


def by_an_argument():
    net = nn.Linear(4, 2, device=device)
    xm.save(net.state_dict(), "fifth.pt")
