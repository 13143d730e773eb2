import torch
import torch_xla


def main(args):
    args.cuda = not args.no_cuda
    model = torch.nn.Linear(2, 2)
    if args.cuda:
        model.to(torch_xla.device())
    return model
