import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def fit(model, loader, device, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    seen = 0

    def one_step(x, y):
        nonlocal seen
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        seen += x.size(0)
        return loss

    for epoch in range(epochs):
        for x, y in loader:
            loss = one_step(x.to(device), y.to(device))
        print(f"epoch {epoch}: seen {seen}, loss {loss.item():.4f}")
    return optimizer, seen


def main():
    torch.manual_seed(18)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer, seen = fit(model, loader, device, 4)
    return {"model": model, "optimizer": optimizer, "seen": seen}


if __name__ == "__main__":
    main()
