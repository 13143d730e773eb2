import argparse

import torch
import torch_xla

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.manual_seed(args.seed)
torch_xla.manual_seed(args.seed)

model = torch.nn.Linear(2, 2)
if args.cuda:
    model.to(torch_xla.device())
