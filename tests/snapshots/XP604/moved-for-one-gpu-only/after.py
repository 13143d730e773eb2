import argparse

import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)


def train(loader, model, criterion, args):
    for i, (images, target) in enumerate(loader):
        if args.gpu is not None:
            images = images.cuda(args.gpu, non_blocking=True)
        target = target.cuda(args.gpu, non_blocking=True)
        loss = criterion(model(images.to(torch_xla.device())), target)
        loss.backward()


def main(args):
    model = nn.Linear(4, 2)
    if args.gpu is not None:
        model = model.cuda(args.gpu)
    else:
        model = torch.nn.DataParallel(model).cuda()
    data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, dtype=torch.long))
    train(DataLoader(data, batch_size=8), model, nn.CrossEntropyLoss().cuda(args.gpu), args)


main(parser.parse_args())
