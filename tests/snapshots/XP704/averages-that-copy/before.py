import torch
from torch import nn


class Copied:
    def __init__(self, module):
        self.shadow = {}
        for name, parameter in module.named_parameters():
            self.shadow[name] = parameter.data.clone()

    def load_state_dict(self, state_dict):
        for name, value in state_dict.items():
            self.shadow[name].copy_(value)


class Moved(Copied):
    def load_state_dict(self, state_dict):
        self.shadow = state_dict
        for name in self.shadow:
            self.shadow[name] = self.shadow[name].to("cuda")


class Numbers:
    def __init__(self):
        self.counts = {}

    def add(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1

    def load_state_dict(self, state_dict):
        self.counts = state_dict


model = nn.Linear(4, 2).cuda()
copied, moved, numbers = Copied(model), Moved(model), Numbers()
states = torch.load("states.pt")
model.load_state_dict(states["model"])
copied.load_state_dict(states["copied"])
moved.load_state_dict(states["moved"])
numbers.load_state_dict(states["numbers"])
