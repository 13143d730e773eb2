import torch
from torch.utils.data import DataLoader

import library
from net import Net


def train(args, model, data):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.half:
        model, optimizer = library.initialize(model, optimizer)
    if args.gpus > 1:
        model = torch.nn.DataParallel(model)
    shown, high = [], 0
    for x, target in DataLoader(data):
        loss, seen, extra, largest = model(x.to("cuda"), target.to("cuda"))
        if seen != 0:
            shown.append(seen)
        if extra != 0:
            shown.append(extra)
        if largest > 4:
            high += 1
        loss.backward()
        optimizer.step()
    return shown, high


@torch.no_grad()
def try_out(model: torch.nn.Module, data):
    bad = parts = 0
    for x, target in DataLoader(data):
        loss, part = model(x.to("cuda"), target.to("cuda"))
        if part != 0:
            parts += 1
        if torch.isnan(part):
            bad += 1
        if loss > 4:
            bad += 1
    return bad, parts


def main(args, data):
    net = Net(8)
    net.to("cuda")
    train(args, net, data)
    model = library.load("net").to("cuda")
    model.eval()
    try_out(model, data)
