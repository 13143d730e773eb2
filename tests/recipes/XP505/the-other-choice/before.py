import torch
import torch_xla
from torch import nn

device = torch_xla.device()
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
args = parser.parse_args([])
model = nn.Linear(8, 1).to(device)
with torch.autocast("xla", dtype=torch.float16 if args.half else torch.bfloat16):
    print(model(torch.ones(1, 8).to(device)).shape)
