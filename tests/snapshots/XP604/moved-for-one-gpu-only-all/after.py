import argparse

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)


def train(loader, model, criterion, args):
    for i, (images, target) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        loss = criterion(model(images), target)
        loss.backward()


def main(args):
    model = nn.Linear(4, 2)
    if args.gpu is not None:
        model = model.to(torch_xla.device())
    else:
        model = torch.nn.DataParallel(model).to(torch_xla.device())
    data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, dtype=torch.long))
    train(DataLoader(data, batch_size=8), model, nn.CrossEntropyLoss().to(torch_xla.device()), args)


main(parser.parse_args())
