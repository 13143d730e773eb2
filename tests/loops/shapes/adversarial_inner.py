import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(73)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(4):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            delta = torch.zeros_like(x, requires_grad=True)
            for _ in range(3):
                attack = criterion(model(x + delta), y)
                (gradient,) = torch.autograd.grad(attack, delta)
                delta = (delta + 0.05 * gradient.sign()).detach().clamp(-0.1, 0.1).requires_grad_()
            loss = criterion(model(x + delta.detach()), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
