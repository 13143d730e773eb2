import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def get_lr(step, warmup, total, base):
    if step < warmup:
        return base * (step + 1) / (warmup + 1)
    return base * 0.5 * (1.0 + math.cos(math.pi * (step - warmup) / (total - warmup)))


def main():
    torch.manual_seed(45)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1)
    step, total = 0, 4 * len(loader)
    for epoch in range(4):
        for x, y in loader:
            lr = get_lr(step, 5, total, 1e-2)
            for param_group in optimizer.param_groups:
                param_group["lr"] = lr
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            if step % 6 == 0:
                print(f"step {step} lr {lr:.6f} loss {loss.item():.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
