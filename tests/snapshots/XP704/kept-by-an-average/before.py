import torch
from torch import nn


class Average:
    def __init__(self, rate=0.999):
        self.rate = rate
        self.shadow = {}

    def register(self, module):
        for name, parameter in module.named_parameters():
            self.shadow[name] = parameter.data.clone()

    def update(self, module):
        for name, parameter in module.named_parameters():
            self.shadow[name].data = (1 - self.rate) * parameter.data + self.rate * self.shadow[name].data

    def load_state_dict(self, state_dict):
        self.shadow = state_dict


model = nn.Linear(4, 2).cuda()
average = Average()
average.register(model)
states = torch.load("states.pt")
model.load_state_dict(states[0])
average.load_state_dict(states[1])
alone = Average()
alone.register(model)
state = torch.load("average.pt")
alone.load_state_dict(state)
