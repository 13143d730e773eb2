import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--use-cpu", action="store_true")
args = parser.parse_args()


def test(model, loader, use_gpu):
    model.eval()
    with torch.no_grad():
        for batch in loader:
            images, labels = batch
            if use_gpu:
                images = images.cuda()
            print((model(images).argmax(1).cpu() == labels).sum())


use_gpu = torch.cuda.is_available() and not args.use_cpu
model = nn.Linear(4, 2)
if use_gpu:
    model = nn.DataParallel(model).cuda()
test(model, DataLoader([]), use_gpu)
