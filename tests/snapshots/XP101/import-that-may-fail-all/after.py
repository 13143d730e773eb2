import torch_xla

try:
    import torch
except ImportError:
    torch = None


def place(model, x):
    if torch is None:
        return model
    device = torch_xla.device()
    return model.to(device), x.to(device)
