import argparse

import torch
from torch import nn


class Trainer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)
        self.opt = torch.optim.Adam(self.net.parameters())


parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
trainer = Trainer()
if args.cuda:
    trainer.cuda()
