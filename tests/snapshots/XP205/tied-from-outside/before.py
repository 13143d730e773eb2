import torch
from torch import nn
from models import Net

model = Net()
model.decoder.weight = model.encoder.weight
model.to("cuda")

net = Net()
net.decoder.weight = net.encoder.weight
print(sum(p.numel() for p in net.parameters()))
net.cuda()


def main(args):
    model = Net()
    if args.tied:
        model.out.weight = model.emb.weight
    model.cuda()
    other = Net()
    if args.tied:
        print("tied")
        other.out.weight = other.emb.weight
    other.cuda()
