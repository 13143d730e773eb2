import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(32)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(112, 8), torch.randn(112, 1)), batch_size=8, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    accumulate, total_loss = 4, 0.0
    for epoch in range(5):
        total_loss = 0.0
        for step, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(model(x), y)
            total_loss += loss.item()
            loss = loss / accumulate
            loss.backward()
            if (step + 1) % accumulate == 0 or step + 1 == len(loader):
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: {total_loss / len(loader):.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
