import torch


def main(args):
    model = torch.nn.Linear(2, 2)
    if args.cuda:
        model.cuda()
    optimizer = torch.optim.Adam(model.parameters())
    return optimizer
