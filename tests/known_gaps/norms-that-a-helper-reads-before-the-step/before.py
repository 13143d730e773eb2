import math

import torch
import torch_xla
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.parameters = list(model.parameters())
        self.optimizer = torch.optim.SGD(self.parameters, lr=0.1)

    def norms(self):
        gradients = 0.0
        for parameter in self.parameters:
            with torch.no_grad():
                gradients += torch.norm(parameter.grad, p=2, dtype=torch.float32) ** 2
        return math.sqrt(float(gradients))

    def step(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        norm = self.norms()
        self.optimizer.step()
        return norm


device = torch_xla.device()
trainer = Trainer(nn.Linear(8, 4).to(device))
norms = []
for x in [torch.randn(16, 8) for _ in range(6)]:
    norms.append(trainer.step(trainer.model(x.to(device)).square().mean()))
    torch_xla.sync()
