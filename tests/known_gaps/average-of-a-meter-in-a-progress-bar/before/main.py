import argparse

import torch
from meter import Meter
from torch import nn
from tqdm import tqdm


def train(args, model, optimizer):
    losses = Meter()
    if not args.quiet:
        bar = tqdm(range(20))
    for i in range(20):
        loss = model(torch.randn(8, 4).to(args.device)).pow(2).mean()
        loss.backward()
        losses.update(loss.item())
        optimizer.step()
        model.zero_grad()
        if not args.quiet:
            bar.set_description("{}: {:.4f}".format(i, losses.avg))
            bar.update()
    print(losses.avg)


parser = argparse.ArgumentParser()
parser.add_argument("--quiet", action="store_true")
args = parser.parse_args()
args.device = torch.device("cuda", 0)
model = nn.Linear(4, 2).to(args.device)
train(args, model, torch.optim.SGD(model.parameters(), lr=0.1))
