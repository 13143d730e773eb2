import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--bf16", action="store_true")
args = parser.parse_args()
dtype = torch.bfloat16 if args.bf16 else torch.float16
model = torch.nn.Linear(4, 4).to("cuda", dtype)
