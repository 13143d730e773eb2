import torch
import torch_xla
from torch import nn


class Trainer:
    def __init__(self):
        self.losses = []
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def optimize(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def lm_step(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        self.optimize(loss)
        torch_xla.sync()
        self.losses.append(loss.item())


class SingleTrainer(Trainer):
    def __init__(self, model):
        self.model = model
        super().__init__()


class EncDecTrainer(Trainer):
    def __init__(self, encoder, model):
        self.encoder = encoder
        self.model = model
        super().__init__()

    def mt_step(self, x, y):
        loss = nn.functional.mse_loss(self.model(self.encoder(x)), y)
        self.optimize(loss)
        torch_xla.sync()
        self.losses.append(loss.item())
