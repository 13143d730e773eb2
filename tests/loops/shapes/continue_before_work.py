import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(21)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(120, 8), torch.randn(120, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    skipped = 0
    for epoch in range(4):
        for x, y in loader:
            if x.size(0) < 16:
                skipped += 1
                continue
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: skipped {skipped}, loss {loss.item():.4f}")
    return {"model": model, "optimizer": optimizer, "skipped": skipped}


if __name__ == "__main__":
    main()
