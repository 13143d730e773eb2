import torch


def main(args):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    if args.cuda:
        model.cuda()
    return optimizer
