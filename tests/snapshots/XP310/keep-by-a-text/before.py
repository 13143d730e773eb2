import argparse
import functools
import sys

import torch
from torch import nn


class Rprop(torch.optim.SGD):
    pass


def build(parameters, name):
    return getattr(torch.optim, name)(parameters)


model = nn.Linear(2, 2).cuda()
sgd = build(model.parameters(), "SGD")
parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", default="Adam", choices=["Rprop", "Adam"])
parser.add_argument("--other", default="Rprop")
args = parser.parse_args()
args.other = "SGD"
optimizer = getattr(torch.optim, args.optimizer)(model.parameters(), lr=0.1)
other = getattr(torch.optim, args.other)(model.parameters(), lr=0.1)
own = globals()["Rprop"](model.parameters(), lr=0.1)
TABLE = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
third = TABLE[sys.argv[1]](model.parameters(), lr=0.1)
given = getattr(torch.optim, "Rprop")(model.parameters(), lr=0.1, capturable=True)
make = functools.partial(torch.optim.Rprop, capturable=True)
fourth = make(model.parameters())
