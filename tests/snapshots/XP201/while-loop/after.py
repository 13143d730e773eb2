import torch
import torch_xla


def train(model, optimizer, data):
    step = 0
    while step < 100:
        loss = model(next(data)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        step += 1
