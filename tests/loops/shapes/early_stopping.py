import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def validate(model, loader, device):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            total += nn.functional.mse_loss(model(x), y).item()
    return total / len(loader)


def main():
    torch.manual_seed(25)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), batch_size=16)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    best, patience, waited = float("inf"), 3, 0
    for epoch in range(12):
        model.train()
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        val_loss = validate(model, val_loader, device)
        print(f"epoch {epoch}: val {val_loss:.4f}")
        if val_loss < best:
            best, waited = val_loss, 0
        else:
            waited += 1
            if waited >= patience:
                print("early stop")
                break
    return {"model": model, "optimizer": optimizer, "best": best, "epoch": epoch}


if __name__ == "__main__":
    main()
