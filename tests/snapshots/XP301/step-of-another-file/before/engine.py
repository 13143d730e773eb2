import torch_xla
from torch.nn import functional as F


def train_step(model, optimizer, x, y, step=0):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if step % 100 == 0:
        print(loss.item())
    return loss.item()
