import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(48)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    norms = []
    for epoch in range(4):
        for i, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
            optimizer.step()
            norms.append(grad_norm.item())
            if i % 3 == 0:
                print(f"loss {loss.item():.4f} grad norm {grad_norm:.4f}")
    print(f"largest norm {max(norms):.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
