import argparse

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
print(model.cuda())
