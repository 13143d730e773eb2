import argparse

import torch
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="xla")
parser.add_argument("--teacher", default="xla")
args = parser.parse_args()
print("teacher on", args.teacher)
x = torch.ones(2, device=torch.device(args.device)) + torch.ones(2).to(args.teacher)
