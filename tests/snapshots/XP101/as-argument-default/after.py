import torch
import torch_xla


def load(path, device=torch_xla.device()):
    return torch.load(path).to(device)
