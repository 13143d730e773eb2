import torch


def main(args):
    model = torch.nn.Linear(2, 2)
    if args.gpu:
        model = model.cuda(args.gpu)
    else:
        model = model.cuda()
    optimizer = torch.optim.Adam(model.parameters())
    return optimizer
