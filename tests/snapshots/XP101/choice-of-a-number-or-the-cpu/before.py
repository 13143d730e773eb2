import torch


def main(args, local_rank):
    a = torch.device(args.gpu if torch.cuda.is_available() else "cpu")
    b = torch.device(args.gpu_id if args.gpu_id >= 0 else "cpu")
    c = torch.device("cpu" if args.no_gpu else local_rank)
    d = torch.device(args.device if torch.cuda.is_available() else "cpu")
    e = torch.device(args.backend if args.fast else "cpu")
    return a, b, c, d, e
