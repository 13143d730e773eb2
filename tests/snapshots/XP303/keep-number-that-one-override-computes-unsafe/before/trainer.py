import numpy as np
import torch
import torch_xla


class Trainer:
    def __init__(self, model, optimizer, loader, device):
        self.model, self.optimizer, self.loader, self.device = model, optimizer, loader, device

    def epoch(self):
        losses = []
        self.model.train()
        for batch in self.loader:
            loss = self.train_step(batch)
            losses.append(loss)
        print(f"mean {np.mean(losses)} std {np.std(losses)}")
        return losses

    def train_step(self, batch):
        loss = self.model(batch.to(self.device)).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        torch_xla.sync()
        return loss.item()
