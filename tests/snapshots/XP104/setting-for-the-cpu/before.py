import torch


def configure(args):
    if args.device == "cuda" and not torch.cuda.is_available():
        args.device = "cpu"
    if not torch.cuda.is_available():
        args.gpu = -1
        args.workers = 1
    if torch.cuda.is_available() is False:
        args.device = torch.device("cpu")
    return args
