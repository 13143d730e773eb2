import torch


def main(args):
    args.cuda = not args.no_cuda and torch.cuda.is_available()
    model = torch.nn.Linear(2, 2)
    if args.cuda:
        model.cuda()
    return model
