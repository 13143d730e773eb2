import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(85)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    fast = torch.optim.SGD(model.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(4):
        for i, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            model.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            if i % 2 == 0:
                fast.step()
            else:
                slow.step()
                if i == 5:
                    print(f"epoch {epoch}: {loss.item():.4f}")
    return {"model": model, "fast": fast, "slow": slow}


if __name__ == "__main__":
    main()
