import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def cycle(loader):
    while True:
        for batch in loader:
            yield batch


def main():
    torch.manual_seed(81)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    source = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
    target = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=16, shuffle=True)
    body, head = nn.Linear(8, 8).to(device), nn.Linear(8, 3).to(device)
    optimizer = torch.optim.SGD([{"params": body.parameters(), "lr": 0.01}, {"params": head.parameters()}], lr=0.1)
    targets = cycle(target)
    for epoch in range(4):
        for i, (xs, ys) in enumerate(source, start=1):
            (xt,) = next(targets)
            xs, ys, xt = xs.to(device), ys.to(device), xt.to(device)
            fs, ft = torch.relu(body(xs)), torch.relu(body(xt))
            loss = nn.functional.cross_entropy(head(fs), ys) + (fs.mean(0) - ft.mean(0)).pow(2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if i % 3 == 0:
                print(f"{epoch}/{i}: {loss.item():.4f}")
    return {"body": body, "head": head, "optimizer": optimizer}


if __name__ == "__main__":
    main()
