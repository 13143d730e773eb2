import torch
import torch.nn as nn

from data import build_loader
from train import train


def main():
    torch.manual_seed(13)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = build_loader(16)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    for epoch in range(1, 4):
        train(model, device, train_loader, optimizer, epoch)
        scheduler.step()
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
