import io

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader, device):
    model.eval()
    losses = []
    with torch.no_grad():
        for x, y in loader:
            losses.append(nn.functional.mse_loss(model(x.to(device)), y.to(device)))
    return torch.stack(losses).mean().item()


def main():
    torch.manual_seed(42)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), batch_size=16)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
    best_loss, saved = float("inf"), 0
    for epoch in range(6):
        model.train()
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        val_loss = evaluate(model, val_loader, device)
        print(f"epoch {epoch}: {val_loss:.4f}")
        if val_loss < best_loss:
            best_loss = val_loss
            file = io.BytesIO()
            torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
            saved += 1
    return {"model": model, "optimizer": optimizer, "best_loss": best_loss, "saved": saved}


if __name__ == "__main__":
    main()
