import torch


def main(args):
    if args.clean: torch.cuda.empty_cache()
    if args.gpu is not None: torch.cuda.set_device(args.gpu)
