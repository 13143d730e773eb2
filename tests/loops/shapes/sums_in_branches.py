import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(93)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        clean, noisy, worst = 0.0, 0.0, 0.0
        for i, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x if i % 2 else x * 1.1), y)
            loss.backward()
            optimizer.step()
            if i % 2:
                clean += loss.item()
            else:
                noisy += loss.item()
            worst = max(worst, loss.item())
        print(f"epoch {epoch}: {clean:.4f} {noisy:.4f} {worst:.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
