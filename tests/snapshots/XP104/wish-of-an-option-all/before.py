import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
parser.add_argument("--teacher", default="cuda")
args = parser.parse_args()
if args.device == "cuda" and not torch.cuda.is_available():
    args.device = "cpu"
if args.teacher == "cuda" and not torch.cuda.is_available():
    args.teacher = "cpu"
else:
    print("teacher on", args.teacher)
x = torch.ones(2, device=torch.device(args.device)) + torch.ones(2).to(args.teacher)
