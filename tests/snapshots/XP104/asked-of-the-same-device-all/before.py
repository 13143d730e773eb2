import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
if args.device == "cuda":
    if torch.cuda.is_available():
        args.device = "cuda"
    else:
        args.device = "cpu"
model = torch.nn.Linear(2, 2).to(args.device)
device = "cuda"
if device == "cuda":
    device = "cuda" if torch.cuda.is_available() else "cpu"
model.to(device)
