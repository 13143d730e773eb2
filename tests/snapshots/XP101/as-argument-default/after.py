import torch
import torch_xla


def load(path, device=torch.device("xla")):
    return torch.load(path).to(device)
