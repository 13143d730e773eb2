import torch


def main(args):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    if args.gpu:
        model = model.cuda(args.gpu)
    else:
        model = model.cuda()
    return optimizer
