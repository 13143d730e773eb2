import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(83)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=8, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    accumulate = 3
    for epoch in range(5):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device)) / accumulate
            loss.backward()
            if (i + 1) % accumulate != 0:
                continue
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch}: {loss.item() * accumulate:.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
