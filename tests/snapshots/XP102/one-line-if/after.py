import torch
import torch_xla


def main(args, model):
    if args.cuda: model.to(torch_xla.device()); print("moved")
