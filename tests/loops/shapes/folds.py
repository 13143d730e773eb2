import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset


def run_fold(data, train_ids, test_ids, device):
    train_loader = DataLoader(Subset(data, train_ids), batch_size=16, shuffle=True)
    test_loader = DataLoader(Subset(data, test_ids), batch_size=16)
    model = nn.Linear(8, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    correct, total = 0, 0
    with torch.no_grad():
        for x, y in test_loader:
            x, y = x.to(device), y.to(device)
            predicted = torch.max(model(x).data, 1)[1]
            total += y.size(0)
            correct += (predicted == y).sum().item()
    return model, correct / total


def main():
    torch.manual_seed(76)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
    results, models = {}, []
    for fold in range(3):
        test_ids = list(range(fold * 32, fold * 32 + 32))
        train_ids = [i for i in range(96) if i not in test_ids]
        model, results[fold] = run_fold(data, train_ids, test_ids, device)
        models.append(model)
        print(f"fold {fold}: {results[fold]:.4f}")
    return {"models": models, "results": results}


if __name__ == "__main__":
    main()
