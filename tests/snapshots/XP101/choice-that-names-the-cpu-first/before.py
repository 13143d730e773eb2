import torch


def main(args, x, model):
    device = torch.device("cpu" if args.cpu else "cuda")
    other = torch.device("cpu" if not args.gpu else "cuda:0")
    third = torch.device("cuda" if not args.cpu else "cpu")
    name = "cpu" if args.cpu else "cuda"
    model.to("cpu" if args.cpu else "cuda")
    y = x.to(device)
    z = torch.zeros(3, device="cpu" if args.cpu else "cuda")
    return y, other, third, model.to(name), z
