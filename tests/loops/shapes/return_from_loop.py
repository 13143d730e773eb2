import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def fit(model, optimizer, loader, device, max_steps):
    step = 0
    for epoch in range(100):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            if step == max_steps:
                return epoch, loss.item()


def main():
    torch.manual_seed(26)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    epoch, loss = fit(model, optimizer, loader, device, 20)
    print(f"stopped in epoch {epoch} with {loss:.4f}")
    return {"model": model, "optimizer": optimizer, "epoch": epoch, "loss": loss}


if __name__ == "__main__":
    main()
