from copy import deepcopy

import torch
import torch_xla


class Average:
    def __init__(self, model):
        self.ema = deepcopy(model).eval()

    def update(self, model):
        new = model.state_dict()
        for name, value in self.ema.state_dict().items():
            value *= 0.99
            value += 0.01 * new[name].detach()


def train(loader):
    model = torch.nn.Linear(8, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    average = Average(model)
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update(model)
        torch_xla.sync()
