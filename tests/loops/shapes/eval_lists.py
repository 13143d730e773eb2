import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    losses, accuracies = [], []
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        logits = model(x)
        losses.append(nn.functional.cross_entropy(logits, y).item())
        accuracies.append((logits.argmax(-1) == y).float().mean().item())
    return sum(losses) / len(losses), sum(accuracies) / len(accuracies)


def main():
    torch.manual_seed(39)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
    results = []
    for scale in (1.0, 0.5, 0.25):
        with torch.no_grad():
            model[0].weight.mul_(scale)
        loss, accuracy = evaluate(model, loader, device)
        results.append((loss, accuracy))
        print(f"scale {scale}: loss {loss:.4f} accuracy {accuracy:.4f}")
    return {"model": model, "results": results}


if __name__ == "__main__":
    main()
