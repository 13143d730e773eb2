import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, device=None):
        super().__init__()
        self.fc = nn.Linear(4, 4, device=device)
        self.fc.weight._no_weight_decay = True


def groups(model):
    return [p for p in model.parameters() if not getattr(p, "_no_weight_decay", False)]


groups(Net("cuda"))
