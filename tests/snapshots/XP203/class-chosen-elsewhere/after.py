from functools import partial

import torch
from torch import nn

device = torch.device("cuda")


def get_optimizer(name, params):
    return getattr(torch.optim, name)(params, lr=0.1)


def by_a_function():
    model = nn.Linear(2, 2)
    model = model.to(device)
    opt = get_optimizer("SGD", model.parameters())
    return model, opt


def by_partial():
    opt_fn = partial(torch.optim.SGD, lr=0.1)
    model = nn.Linear(2, 2)
    model.to(device)
    opt = opt_fn(model.parameters())
    return model, opt


class Learner:
    def __init__(self, model, opt_class=torch.optim.SGD):
        self.model = model
        self.model.to(device)
        self.opt = opt_class(self.model.parameters(), lr=0.1)

    def to(self, device):
        self.model.to(device)
        return self


learner = Learner(nn.Linear(2, 2)).to(device)
