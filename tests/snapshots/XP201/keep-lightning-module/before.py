import lightning as L
import torch
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(4, 1)
        self.losses = []

    def training_step(self, batch, index):
        first, second = self.optimizers()
        for _ in range(5):
            loss = self.net(batch).mean()
            self.manual_backward(loss)
            first.step()
            first.zero_grad()
        loss = self.net(batch).square().mean()
        self.manual_backward(loss)
        second.step()
        self.losses.append(loss.item())
        self.log("loss", loss)

    def validation_step(self, batch, index):
        self.log("mean", self.net(batch).mean())
