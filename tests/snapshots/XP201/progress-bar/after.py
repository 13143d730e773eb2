import torch
import torch_xla
from tqdm import tqdm


def train(model, optimizer, loader):
    bar = tqdm(loader)
    for x in bar:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        bar.set_postfix(loss=loss.item())
