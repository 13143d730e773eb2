import torch
from torch import nn


class Average:
    def __init__(self):
        self.shadow = {}

    def register(self, module):
        if isinstance(module, nn.DataParallel):
            module = module.module
        for name, parameter in module.named_parameters():
            self.shadow[name] = parameter.data.clone()

    def load_state_dict(self, state_dict):
        self.shadow = state_dict


model = nn.Linear(4, 2).cuda()
average = Average()
average.register(model)
states = torch.load("states.pt")
model.load_state_dict(states[0])
average.load_state_dict(states[1])
