from functools import partial

import torch
import torch.nn as nn


def update(model, optimizer, loss_fn, x, y):
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


def main():
    torch.manual_seed(19)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data, target = torch.randn(160, 8), torch.randn(160, 1)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    batch = lambda i: (data[i * 16 : i * 16 + 16].to(device), target[i * 16 : i * 16 + 16].to(device))
    step = partial(update, model, optimizer, nn.functional.mse_loss)
    for i in range(20):
        x, y = batch(i % 10)
        loss = step(x, y)
        if i % 5 == 0:
            print(i, f"{loss.item():.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
