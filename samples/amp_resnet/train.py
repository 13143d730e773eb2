"""Train a small ResNet on made-up images in mixed precision.

    python train.py --amp
"""

import argparse
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = 8


class Block(nn.Module):
    def __init__(self, wide_in, wide, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(wide_in, wide, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(wide)
        self.conv2 = nn.Conv2d(wide, wide, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(wide)
        self.short = nn.Identity()
        if stride != 1 or wide_in != wide:
            self.short = nn.Sequential(nn.Conv2d(wide_in, wide, 1, stride=stride, bias=False), nn.BatchNorm2d(wide))

    def forward(self, x):
        out = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(out)) + self.short(x))


class ResNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        self.body = nn.Sequential(Block(width, width, 1), Block(width, 2 * width, 2))
        self.head = nn.Linear(2 * width, CLASSES)

    def forward(self, x):
        return self.head(self.body(self.stem(x)).mean(dim=(2, 3)))


def images(size, seed):
    """Noisy pictures of waves, whose direction is their class."""
    generator = torch.Generator().manual_seed(seed)
    label = torch.randint(CLASSES, (size,), generator=generator)
    angle = label.float() * (3.14159 / CLASSES)
    row, column = torch.meshgrid(torch.arange(12.0), torch.arange(12.0), indexing="ij")
    along = angle.cos()[:, None, None] * row + angle.sin()[:, None, None] * column
    picture = torch.sin(1.1 * along)[:, None].expand(size, 3, 12, 12)
    return TensorDataset(picture + 1.5 * torch.randn(size, 3, 12, 12, generator=generator), label)


def train_one_epoch(model, loader, criterion, optimizer, scheduler, scaler, device, epoch, args):
    model.train()
    started = time.time()
    for i, (picture, label) in enumerate(loader):
        picture = picture.to(device, non_blocking=True, memory_format=torch.channels_last)
        label = label.to(device, non_blocking=True)
        with torch.cuda.amp.autocast(enabled=args.amp):
            loss = criterion(model(picture), label)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        # The gradients have to be those of the loss itself before they are clipped.
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        if i % args.print_freq == 0:
            print(f"epoch {epoch} step {i} loss {loss.item():.4f}")
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    print(f"epoch {epoch} took {time.time() - started:.1f} s")


@torch.inference_mode()
def evaluate(model, loader, criterion, device, args):
    model.eval()
    loss_sum, correct = 0.0, 0
    for picture, label in loader:
        picture, label = picture.to(device), label.to(device)
        with torch.cuda.amp.autocast(enabled=args.amp):
            output = model(picture)
        loss_sum += criterion(output.float(), label).item() * label.size(0)
        correct += (output.argmax(dim=1) == label).sum().item()
    count = len(loader.dataset)
    print(f"test loss {loss_sum / count:.4f} accuracy {100.0 * correct / count:.1f} %")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--train-size", type=int, default=2048)
    parser.add_argument("--test-size", type=int, default=512)
    parser.add_argument("--print-freq", type=int, default=8)
    parser.add_argument("--amp", action="store_true", help="mixed precision")
    parser.add_argument("--compile", action="store_true", help="torch.compile")
    parser.add_argument("--save", default="")
    args = parser.parse_args()

    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    train_set, test_set = images(args.train_size, 1), images(args.test_size, 2)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True, drop_last=True, pin_memory=True)
    test_loader = DataLoader(test_set, batch_size=args.batch_size, pin_memory=True)

    model = ResNet(args.width).to(device, memory_format=torch.channels_last)
    net = torch.compile(model) if args.compile else model
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True, weight_decay=1e-4)
    steps = args.epochs * len(train_loader)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=steps)
    scaler = torch.cuda.amp.GradScaler(enabled=args.amp)
    for epoch in range(args.epochs):
        train_one_epoch(net, train_loader, criterion, optimizer, scheduler, scaler, device, epoch, args)
        evaluate(net, test_loader, criterion, device, args)
    if args.save:
        torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, args.save)


if __name__ == "__main__":
    main()
