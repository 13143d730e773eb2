import torch
import torch.nn as nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(46)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9)
    scheduler = OneCycleLR(optimizer, max_lr=0.1, epochs=4, steps_per_epoch=len(loader))
    lrs = []
    for epoch in range(4):
        for x, y in loader:
            optimizer.zero_grad()
            output = model(x.to(device))
            loss = nn.functional.mse_loss(output, y.to(device))
            loss.backward()
            optimizer.step()
            lrs.append(scheduler.get_last_lr()[0])
            scheduler.step()
        print(f"epoch {epoch}: lr {lrs[-1]:.5f} loss {loss.item():.4f}")
    return {"model": model, "optimizer": optimizer, "lrs": lrs}


if __name__ == "__main__":
    main()
