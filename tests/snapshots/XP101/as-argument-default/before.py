import torch


def load(path, device=torch.device("cuda")):
    return torch.load(path).to(device)
