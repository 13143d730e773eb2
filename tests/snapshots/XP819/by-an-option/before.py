import torch


def train(args, model, loader, optimizer):
    net = torch.compile(model) if args.compile else model
    for x in loader:
        net(x.cuda()).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
