import torch
import torch_xla


def train(model, optimizer, loader):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if i == 100:
            break
