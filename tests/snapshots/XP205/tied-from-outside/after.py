import torch
from torch import nn
from models import Net

model = Net()
model.to("cuda")
model.decoder.weight = model.encoder.weight

net = Net()
net.decoder.weight = net.encoder.weight
print(sum(p.numel() for p in net.parameters()))
net.cuda()
net.decoder.weight = net.encoder.weight


def main(args):
    model = Net()
    model.cuda()
    if args.tied:
        model.out.weight = model.emb.weight
    other = Net()
    if args.tied:
        print("tied")
        other.out.weight = other.emb.weight
    other.cuda()
