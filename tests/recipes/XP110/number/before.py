import torch
import torch_xla

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--gpus", type=int, default=1)
args = parser.parse_args([])
if args.gpus > torch.cuda.device_count():
    raise SystemExit("too many")
print(torch.ones(3).to(torch_xla.device()).sum().item())
