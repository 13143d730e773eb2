import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, loader):
        self.model = model.cuda()
        self.loader = loader
        self.optimizer = torch.optim.Adam(model.parameters())
        self.curve = torch.zeros(1000, device="cuda")
        self.steps = 0

    def run(self):
        for batch in self.loader:
            self.train_step(batch.cuda())

    def train_step(self, x):
        loss = self.model(x).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.curve[self.steps] = loss.detach()
        self.steps += 1
