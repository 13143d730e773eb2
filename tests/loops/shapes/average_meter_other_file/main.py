import torch
import torch.nn as nn
from meters import AverageMeter, ProgressMeter, accuracy
from torch.utils.data import DataLoader, TensorDataset


def train(train_loader, model, criterion, optimizer, epoch, device):
    losses = AverageMeter("Loss", ":.4f")
    top1 = AverageMeter("Acc@1", ":.2f")
    progress = ProgressMeter(len(train_loader), [losses, top1], prefix=f"Epoch: [{epoch}]")
    model.train()
    for i, (images, target) in enumerate(train_loader):
        images = images.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        acc1, acc2 = accuracy(output, target, topk=(1, 2))
        losses.update(loss.item(), images.size(0))
        top1.update(acc1[0], images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 4 == 0:
            progress.display(i)


def main():
    torch.manual_seed(44)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(128, 8), torch.randint(0, 3, (128,))), batch_size=16, shuffle=True)
    model = nn.Linear(8, 3).to(device)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    for epoch in range(3):
        train(loader, model, criterion, optimizer, epoch, device)
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
