import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class History:
    def __init__(self):
        self.losses = []

    def on_step(self, step, loss):
        self.losses.append(loss.item())


class Printer:
    def on_step(self, step, loss):
        if step % 6 == 0:
            print(f"step {step}: {loss.item():.4f}")


def main():
    torch.manual_seed(75)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    callbacks, step = [History(), Printer()], 0
    for epoch in range(4):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            for callback in callbacks:
                callback.on_step(step, loss)
            step += 1
    return {"model": model, "optimizer": optimizer, "losses": callbacks[0].losses}


if __name__ == "__main__":
    main()
