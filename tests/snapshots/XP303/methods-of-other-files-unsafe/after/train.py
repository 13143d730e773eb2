import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader
from trainer import Trainer


class Squared(Trainer):
    def train_step(self, batch):
        loss = self.model(batch.to(self.device)).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        torch_xla.sync()
        return loss.detach()


def main():
    device = torch_xla.device()
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(torch.randn(64, 4), batch_size=8)
    for kind in (Trainer, Squared):
        kind(model, optimizer, loader, device).epoch()


if __name__ == "__main__":
    main()
