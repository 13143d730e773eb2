import argparse

import net
import net as model
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--resume", default="")
parser.add_argument("--tied", action="store_true")
args = parser.parse_args()


def resume(path):
    global model
    model = torch.load(path, map_location="cpu", weights_only=False)


model = model.Words(10, 4, args.tied)
if args.resume:
    resume(args.resume)
tied = model.head.weight is model.embed.weight
model = model.cuda()
if tied:
    model.head.weight = model.embed.weight

apart = net.Words(10, 4, False)
if args.resume:
    apart = torch.load(args.resume, map_location="cpu", weights_only=False)
apart.cuda()
