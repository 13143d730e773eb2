import torch


def main(args, model):
    if not torch.cuda.is_available() and not torch.backends.mps.is_available():
        print("using CPU, this will be slow")
    elif args.distributed:
        model.spread()
    else:
        model.go()
