import torch


def dropped(inputs, p, training):
    assert 0 <= p <= 1, "p must be in [0, 1]"
    if not training:
        return inputs
    return inputs / (1 - p) * torch.floor(1 - p + torch.rand(len(inputs), 1, device=inputs.device))
