import torch


def train(model, args, rank):
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    for x in torch.utils.data.DataLoader([]):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        if args.verbose and rank == 0:
            print(loss.item())
