import argparse

import torch
from choice import choose

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="")
args = parser.parse_args()
half = torch.cuda.is_available() and args.device != "cpu"
model = torch.nn.Linear(4, 2).to(choose(args.device))
if half:
    model.to(torch.bfloat16)
