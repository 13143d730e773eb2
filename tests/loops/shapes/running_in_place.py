import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Last:
    def __init__(self, device):
        self.value = torch.zeros((), device=device)

    def see(self, value):
        self.value.copy_(value)
        return self.value


def main():
    torch.manual_seed(94)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    running, last = torch.zeros((), device=device), Last(device)
    means, seen, scaled = [], [], []
    for epoch in range(4):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            running.mul_(0.9).add_(loss.detach(), alpha=0.1)
            means.append(running.item())
            seen.append(last.see(loss.detach()).item())
            value = loss.detach()
            scaled.append(value.item())
            value /= 2
    print(f"{means[0]:.4f} {means[-1]:.4f} {sum(seen):.4f} {sum(scaled):.4f}")
    return {"model": model, "optimizer": optimizer, "means": means, "seen": seen, "scaled": scaled}


if __name__ == "__main__":
    main()
