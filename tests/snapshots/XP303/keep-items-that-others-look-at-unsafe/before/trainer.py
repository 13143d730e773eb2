import torch
import torch_xla


class Trainer:
    def __init__(self, model, optimizer, loader, device):
        self.model, self.optimizer, self.loader, self.device = model, optimizer, loader, device
        self.stats = dict()

    def epoch(self):
        self.model.train()
        for batch in self.loader:
            self.train_step(batch)

        for key in self.stats:
            print(f"{key}: {self.stats[key]}")

    def train_step(self, batch):
        raise NotImplementedError
