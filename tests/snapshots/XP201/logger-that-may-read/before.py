import torch


def train(model, optimizer, loader, writer):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        writer.add_scalar("loss", loss, i)
