import torch
import torch_xla


def train(model, optimizer, loader):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        if i % 100 == 0:
            torch_xla.sync()
            continue
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()
