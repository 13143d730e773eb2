import torch


def main(args, model):
    if args.cuda: model.cuda(); print("moved")
