import torch
import torch_xla


def main(args, x, model):
    device = torch.device("cpu") if args.cpu else torch_xla.device()
    other = torch.device("cpu") if not args.gpu else torch_xla.device()
    third = torch_xla.device() if not args.cpu else torch.device("cpu")
    name = "cpu" if args.cpu else "cuda"
    model.to("cpu" if args.cpu else "cuda")
    y = x.to(device)
    z = torch.zeros(3, device="cpu" if args.cpu else "cuda")
    return y, other, third, model.to(name), z
