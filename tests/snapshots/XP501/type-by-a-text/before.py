import argparse
import sys

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--precision", default="float64")
parser.add_argument("--other", default="float32")
args = parser.parse_args()
model = nn.Linear(2, 2).to("cuda", getattr(torch, args.precision))
single = nn.Linear(2, 2).to("cuda", getattr(torch, args.other))
KINDS = {name: getattr(torch, name) for name in ("float32", "float64")}
x = torch.ones(3, 2, device="cuda").to(KINDS[sys.argv[1]])
