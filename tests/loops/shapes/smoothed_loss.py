import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(78)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    smooth, step = None, 0
    for epoch in range(4):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            value = loss.item()
            smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
            step += 1
            if step % 6 == 0:
                print(f"step {step}: smoothed {smooth:.4f}")
    return {"model": model, "optimizer": optimizer, "smooth": smooth}


if __name__ == "__main__":
    main()
