import torch


def main(args):
    model = torch.nn.Linear(2, 2)
    criterion = torch.nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters())
    if args.cuda:
        model.cuda()
        criterion.cuda()
    return optimizer
