import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(4, 4)
        self.proj.bias._no_reinit = True
        self.scale = nn.Parameter(torch.ones(4))
        self.proj.weight._no_weight_decay = True
        self.proj.bias._unread = True
        self.reset()

    def reset(self):
        if not getattr(self.proj.bias, "_no_reinit", False):
            nn.init.zeros_(self.proj.bias)


def groups(model):
    return [p for p in model.parameters() if not getattr(p, "_no_weight_decay", False)]


model = Mixer().to("cuda")
optimizer = torch.optim.AdamW(groups(model))
