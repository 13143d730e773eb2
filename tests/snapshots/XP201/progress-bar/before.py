import torch
from tqdm import tqdm


def train(model, optimizer, loader):
    bar = tqdm(loader)
    for x in bar:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        bar.set_postfix(loss=loss.item())
