import torch
import torch_xla
from torch import nn

device = torch.device("cuda")


def train(model, optimizer, loader):
    for i, (x, y) in enumerate(loader):
        out = model(x.to(device))
        loss = nn.functional.cross_entropy(out, y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if i % 100 == 0:
            right = (out.argmax(1) == y.to(device)).float().mean()
            print(right.item())
