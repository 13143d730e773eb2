import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def predict(model, loader, device):
    model.eval()
    preds, trues = [], []
    with torch.no_grad():
        for x, y in loader:
            output = model(x.to(device))
            preds.append(output.argmax(dim=1).cpu())
            trues.append(y)
    return torch.cat(preds), torch.cat(trues)


def main():
    torch.manual_seed(40)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(192, 8), torch.randint(0, 3, (192,))), batch_size=16)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
    preds, trues = predict(model, loader, device)
    confusion = torch.zeros(3, 3, dtype=torch.int64)
    for t, p in zip(trues, preds):
        confusion[t, p] += 1
    print(confusion)
    return {"model": model, "preds": preds, "confusion": confusion}


if __name__ == "__main__":
    main()
