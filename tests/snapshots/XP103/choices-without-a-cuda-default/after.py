import argparse

import torch
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--device", choices=["cpu", "xla", "xla"])
parser.add_argument("--kind", default="cpu", choices=("cpu", "cuda"))
args = parser.parse_args()
model = torch.nn.Linear(2, 2).to(args.device or "cpu")
if args.device == "xla":
    print("fast", args.kind)
