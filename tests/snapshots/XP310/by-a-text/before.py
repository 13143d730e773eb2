import argparse
import functools
import sys

import torch
from torch import nn


class Options:
    optimizer = "LBFGS"


def build(parameters, name):
    return getattr(torch.optim, name)(parameters)


model = nn.Linear(2, 2).cuda()
rprop = build(model.parameters(), "Rprop")
parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", default="Rprop", choices=["Rprop", "SGD"])
args = parser.parse_args()
optimizer = vars(torch.optim)[args.optimizer](model.parameters(), lr=0.1)
second = getattr(torch.optim, Options().optimizer)(model.parameters())
TABLE = {"sgd": torch.optim.SGD, "asgd": torch.optim.ASGD}
third = TABLE[sys.argv[1]](model.parameters(), lr=0.1)
make = functools.partial(torch.optim.Rprop, lr=0.1)
fourth = make(model.parameters())
