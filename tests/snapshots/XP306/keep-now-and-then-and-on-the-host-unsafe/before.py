import numpy as np
import torch
import torch_xla


def train(model: torch.nn.Module, loader, numbers):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if step % 100 == 0:
            norm = 0.0
            for p in model.parameters():
                norm += p.grad.norm().item()
            print(norm)
        total = 0.0
        for number in np.asarray(numbers):
            total += number.item()
        for i, p in enumerate(model.parameters()):
            if i % 50 == 0:
                total += p.grad.norm().item()


def report(model: torch.nn.Module):
    norm = 0.0
    for p in model.parameters():
        norm += p.norm().item()
    return norm
