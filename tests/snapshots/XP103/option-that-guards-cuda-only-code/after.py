import argparse

import torch
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="xla")
args = parser.parse_args()
x = torch.zeros(3, device=args.device)
if args.device == "cuda":
    print(torch.cuda.get_device_name(0))
if "xla" in args.device:
    print("accelerated")
