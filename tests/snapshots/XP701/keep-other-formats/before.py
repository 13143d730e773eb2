import torch


def load(path, kind, cpu):
    device = torch.device("cuda")
    a = torch.load(path, map_location=f"{kind}")
    b = torch.load(path, map_location=f"{cpu.kind}:0")
    return a, b, device
