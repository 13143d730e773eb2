import torch


def configure(flash):
    if not torch.cuda.is_available() or not flash:
        return None
    return torch.cuda.get_device_properties(0).major
