import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, device, epochs):
    losses = []
    for epoch in range(epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(56)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    losses = train(model, loader, optimizer, device, 4)
    print(f"{len(losses)} losses, first {losses[0]:.4f}, last {losses[-1]:.4f}")
    return {"model": model, "optimizer": optimizer, "losses": losses}


if __name__ == "__main__":
    main()
