import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--seed", default=123)
parser.add_argument("--other", default=1, type=int)
args = parser.parse_args()
torch.manual_seed(args.seed)
torch.cuda.manual_seed_all(args.seed)
print(torch.nn.Linear(2, 2).cuda().weight.sum())
torch.cuda.manual_seed(args.other)
