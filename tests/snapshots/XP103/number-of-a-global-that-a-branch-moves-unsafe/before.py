import argparse

import torch
from torch import nn

best = 0
parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=None)
parser.add_argument("--resume")


def main(args):
    global best
    device = torch.device("cuda")
    model = nn.Linear(4, 1).to(device)
    if args.resume:
        saved = torch.load(args.resume, map_location="cpu")
        best = saved["best"]
        if args.gpu is not None:
            best = best.to(args.gpu)
    score = model(torch.ones(2, 4, device=device)).mean()
    best = max(score, best)


main(parser.parse_args())
