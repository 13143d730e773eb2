import sys

import torch
from torch import nn


class Base:
    def __init__(self, model):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def fit(self, batches):
        for x in batches:
            self.one(x.cuda())
        self.close(batches)


class Mean(Base):
    def one(self, x):
        loss = self.model(x).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def close(self, batches):
        print(len(batches))


class Largest(Base):
    def one(self, x):
        loss = self.model(x).amax()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


trainer = (Mean if len(sys.argv) > 1 else Largest)(nn.Linear(4, 1))
trainer.fit(torch.randn(40, 16, 4))
