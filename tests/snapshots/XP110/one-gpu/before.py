import torch


def build(model, args):
    if args.gpu and torch.cuda.device_count() == 1:
        model.train()
    return model
