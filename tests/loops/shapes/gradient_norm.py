import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(89)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        for i, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            total_norm = 0.0
            for p in model.parameters():
                total_norm += p.grad.data.norm(2).item() ** 2
            total_norm = total_norm**0.5
            optimizer.step()
            if i % 3 == 0:
                print(f"loss {loss.item():.4f} norm {total_norm:.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
