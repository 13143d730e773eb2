import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--quiet", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(2, 2)

if not args.quiet:
    print("Training on the GPU.")

if not args.cuda:
    print("There is a CUDA device: it is used.")
    args.cuda = True

if not args.cuda:
    print("There is a CUDA device.")
else:
    model = torch.nn.DataParallel(model)
