import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, data_loader, model, optimizer, device):
        self.data_loader = data_loader
        self.model = model
        self.optimizer = optimizer
        self.device = device
        self.total_loss = {"train/loss": 0.0}
        self.finish = False

    def run(self):
        while True:
            self._train_epoch()
            if self.finish:
                break

    def _train_step(self, batch):
        (x,) = batch
        y = self.model["generator"](x.to(self.device))
        loss = y.square().mean()
        self.total_loss["train/loss"] += loss.item()
        self.optimizer["generator"].zero_grad()
        loss.backward()
        self.optimizer["generator"].step()
        torch_xla.sync()

    def _train_epoch(self):
        for step, batch in enumerate(self.data_loader["train"], 1):
            self._train_step(batch)
            if self.finish:
                return
        self.finish = True


def main():
    device = torch.device("cuda")
    data_loader = {"train": DataLoader(TensorDataset(torch.rand(32, 4)), batch_size=8)}
    model = {"generator": nn.Linear(4, 2).to(device)}
    optimizer = {"generator": torch.optim.SGD(model["generator"].parameters(), lr=0.1)}
    Trainer(data_loader=data_loader, model=model, optimizer=optimizer, device=device).run()


if __name__ == "__main__":
    main()
