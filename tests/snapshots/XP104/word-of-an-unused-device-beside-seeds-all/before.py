import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.manual_seed(args.seed)
if torch.cuda.is_available():
    if not args.cuda:
        print("WARNING: this machine has a CUDA device, use --cuda")
    else:
        torch.cuda.manual_seed(args.seed)

model = torch.nn.Linear(2, 2)
if args.cuda:
    model.cuda()
