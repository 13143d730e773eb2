import argparse

import torch
from torch import nn

args = argparse.ArgumentParser().parse_args()


def prepare(model, on_gpu):
    if on_gpu:
        model.cuda()


def handed_on(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.cuda or args.gpu is not None:
        prepare(model, True)
    return optimizer


def asked_twice(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if args.cuda or args.gpu is not None:
        if args.train:
            net = model
            net.cuda()
    return optimizer


def another_answer(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    args.cuda = args.gpu is not None
    if args.cuda:
        net = model
        net.cuda()
    return optimizer


def where_there_is_one(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if torch.cuda.is_available():
        net = model
        net.cuda()
    return optimizer
