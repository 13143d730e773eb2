import argparse

import torch
import torch_xla
from nets import Holding, HoldingMore, Plain

parser = argparse.ArgumentParser()
parser.add_argument("--net", default="plain")
args = parser.parse_args()

if args.net == "plain":
    model = Plain()
else:
    model = Holding()
model = model.cuda()

if args.net == "more":
    other = HoldingMore()
else:
    other = Holding()
other = other.cuda()

plain = Plain()
plain = plain.to(torch_xla.device())


def train(net):
    return net


model = train(model)
print(model(torch.zeros(1, 4)), other, plain)
