import numpy as np
import torch


def path(values, mask):
    device = values.device
    values = values.data.cpu().numpy().astype(np.float32)
    return torch.from_numpy(values).to(device)


def seldom(values):
    print(values.mean().item())


def once(values):
    return values.mean().item()
