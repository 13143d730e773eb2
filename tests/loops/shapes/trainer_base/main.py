import torch
import torch.nn as nn
from base import BaseTrainer
from torch.utils.data import DataLoader, TensorDataset


class Regression(BaseTrainer):
    def compute_loss(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.model(x), y)


def main():
    torch.manual_seed(15)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 2)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 2).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    trainer = Regression(model, optimizer, loader, device)
    trainer.train(4)
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
