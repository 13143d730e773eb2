import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, device):
        self.device = device
        self.model = nn.Linear(8, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def train_step(self, batch):
        x, y = batch
        x, y = x.to(self.device), y.to(self.device)
        self.optimizer.zero_grad()
        prediction = self.model(x)
        loss = nn.functional.mse_loss(prediction, y)
        loss.backward()
        self.optimizer.step()
        return {"loss": loss.item(), "error": (prediction - y).abs().mean().item()}


def main():
    torch.manual_seed(80)
    learner = Learner(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    step, logs = 0, []
    for epoch in range(4):
        for batch in loader:
            metrics = learner.train_step(batch)
            logs.append(metrics)
            step += 1
            if step % 6 == 0:
                print(" ".join(f"{k}={v:.4f}" for k, v in metrics.items()))
    return {"model": learner.model, "optimizer": learner.optimizer, "logs": logs}


if __name__ == "__main__":
    main()
