import torch


def build(model, args):
    if args.parallel or torch.cuda.device_count() > 1:
        model = args.wrap(model)
    return model
