import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(4)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    labelled = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
    unlabelled = DataLoader(TensorDataset(torch.randn(96, 8)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        sup_total, cons_total = 0.0, 0.0
        for (x, y), (u,) in zip(labelled, unlabelled):
            x, y, u = x.to(device), y.to(device), u.to(device)
            sup = F.cross_entropy(model(x), y)
            with torch.no_grad():
                target = F.softmax(model(u), dim=1)
            cons = F.mse_loss(F.softmax(model(u * 1.1), dim=1), target)
            loss = sup + 0.5 * cons
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sup_total += sup.item()
            cons_total += cons.item()
        print(f"epoch {epoch}: sup {sup_total / 6:.4f} cons {cons_total / 6:.6f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
