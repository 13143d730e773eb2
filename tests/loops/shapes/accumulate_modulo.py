import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(31)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(192, 8), torch.randn(192, 1)), batch_size=8, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    accumulation_steps = 4
    for epoch in range(4):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(model(x), y) / accumulation_steps
            loss.backward()
            if (i + 1) % accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: {loss.item() * accumulation_steps:.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
