import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(7)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    max_steps, step, epoch = 20, 0, 0
    while step < max_steps:
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = (model(x) - y).abs().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            if step % 5 == 0:
                print(f"step {step} epoch {epoch} loss {loss.item():.4f}")
            if step >= max_steps:
                break
        epoch += 1
    return {"model": model, "optimizer": optimizer, "step": step, "epoch": epoch}


if __name__ == "__main__":
    main()
