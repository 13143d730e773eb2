import torch


def main(args):
    model = torch.nn.Linear(2, 2)
    criterion = torch.nn.MSELoss()
    if args.cuda:
        model.cuda()
        criterion.cuda()
    optimizer = torch.optim.Adam(model.parameters())
    return optimizer
