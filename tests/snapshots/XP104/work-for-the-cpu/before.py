import torch


def configure(args, model):
    if not torch.cuda.is_available():
        args.model = model.quantize()
    return args
