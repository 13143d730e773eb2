import torch
import torch.nn as nn
from engine import evaluate, train_one_epoch
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(12)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_set = TensorDataset(torch.randn(128, 8), torch.randint(0, 3, (128,)))
    test_set = TensorDataset(torch.randn(32, 8), torch.randint(0, 3, (32,)))
    train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=16)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    model.to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for epoch in range(3):
        train_one_epoch(model, criterion, optimizer, train_loader, device, epoch)
        lr_scheduler.step()
        acc = evaluate(model, criterion, test_loader, device)
    return {"model": model, "optimizer": optimizer, "acc": acc}


if __name__ == "__main__":
    main()
