import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
x = torch.zeros(3, device=args.device)
if args.device == "cuda":
    print(torch.cuda.get_device_name(0))
if "cuda" in args.device:
    print("accelerated")
