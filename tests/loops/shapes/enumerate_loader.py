import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, criterion, optimizer, device, epoch):
    model.train()
    for i, (inputs, targets) in enumerate(loader):
        inputs = inputs.to(device)
        targets = targets.to(device)
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        if i % 4 == 0:
            print("Epoch: {} [{}/{}] Loss: {:.4f}".format(epoch, i, len(loader), loss.item()))


def main():
    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(128, 8), torch.randint(0, 3, (128,)))
    loader = DataLoader(data, batch_size=16, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        train(model, loader, criterion, optimizer, device, epoch)
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
