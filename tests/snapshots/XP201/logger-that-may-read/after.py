import torch
import torch_xla


def train(model, optimizer, loader, writer):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        writer.add_scalar("loss", loss, i)
