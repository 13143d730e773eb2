import argparse

import torch
from torch import nn


class Plain(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.net = nn.Linear(4, 4)
        params = list(self.net.parameters())
        self.opt = torch.optim.Adam([p for p in params if p.requires_grad], lr=lr)


class Deep(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)


parser = argparse.ArgumentParser()
parser.add_argument("--deep", action="store_true")
args = parser.parse_args()

if args.deep:
    trainer = Deep(0.1)
else:
    trainer = Plain(0.1)
trainer.cuda()
