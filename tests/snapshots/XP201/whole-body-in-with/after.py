import torch
import torch_xla


def train(model, optimizer, loader, profiler):
    for x in loader:
        with profiler:
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
        torch_xla.sync()
