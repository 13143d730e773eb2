import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", choices=["cpu", "cuda", "cuda:0"])
parser.add_argument("--kind", default="cpu", choices=("cpu", "cuda"))
args = parser.parse_args()
model = torch.nn.Linear(2, 2).to(args.device or "cpu")
if args.device == "cuda":
    print("fast", args.kind)
