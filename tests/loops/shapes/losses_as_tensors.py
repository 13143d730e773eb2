import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(67)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        outputs, total = [], 0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            prediction = model(x)
            loss = nn.functional.mse_loss(prediction, y)
            loss.backward()
            optimizer.step()
            outputs.append(prediction.detach().cpu().numpy())
            total += loss
        print(f"epoch {epoch}: {total / len(loader):.4f} {sum(o.mean() for o in outputs):.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
