import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
device = torch.device("cuda")

model = nn.Linear(4, 2)
if args.cuda:
    model.to(device)
first = torch.optim.ASGD(model.parameters(), lr=0.1)

loaded = nn.Linear(4, 2).to(device)
loaded = torch.load("best.pt", map_location="cpu", weights_only=False)
second = torch.optim.ASGD(loaded.parameters(), lr=0.1)

chosen = nn.Linear(4, 2).to("cuda" if args.cuda else "cpu")
third = torch.optim.Rprop(chosen.parameters(), lr=0.1)

back = nn.Linear(4, 2).to(device)
back.cpu()
fourth = torch.optim.Rprop(back.parameters(), lr=0.1)


def optimizer_of(net, lr):
    return torch.optim.ASGD(net.parameters(), lr=lr)


for name in ("a", "b"):
    fifth = torch.optim.Rprop(model.parameters(), lr=0.1)
    model = nn.Linear(4, 2)

sixth = torch.optim.Rprop([torch.zeros(3, requires_grad=True)], lr=0.1)
