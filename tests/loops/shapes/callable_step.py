import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class TrainStep:
    def __init__(self, model, device):
        self.model, self.device = model, device
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    def __call__(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x.to(self.device)), y.to(self.device))
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(86)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    step = TrainStep(model, device)
    for epoch in range(4):
        for x, y in loader:
            loss = step(x, y)
        print(f"epoch {epoch}: {loss:.4f}")
    return {"model": model, "optimizer": step.optimizer}


if __name__ == "__main__":
    main()
