import torch
import torch_xla


def main(args, local_rank):
    a = torch_xla.device()
    b = torch_xla.device() if args.gpu_id >= 0 else torch.device("cpu")
    c = torch.device("cpu") if args.no_gpu else torch_xla.device()
    d = torch.device(args.device if torch.cuda.is_available() else "cpu")
    e = torch.device(args.backend if args.fast else "cpu")
    return a, b, c, d, e
