import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train_step(model, optimizer, batch):
    x, y = (t.to(device) for t in batch)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(16)
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        epoch_loss = 0.0
        for batch in loader:
            epoch_loss += train_step(model, optimizer, batch)
        print(f"epoch {epoch}: loss={epoch_loss / len(loader):.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
