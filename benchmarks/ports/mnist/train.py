"""Train a small convolutional network on MNIST.

    python train.py                     # synthetic digits, nothing to download
    python train.py --data ~/mnist      # the real idx files, gzipped or not
"""

import argparse
import gzip
import struct
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset

# A 5x7 font, row by row; the synthetic digits are drawn from it.
FONT = [
    "01110 10001 10011 10101 11001 10001 01110",
    "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00010 00100 01000 11111",
    "11111 00010 00100 00010 00001 10001 01110",
    "00010 00110 01010 10010 11111 00010 00010",
    "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110",
    "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110",
    "01110 10001 10001 01111 00001 00010 01100",
]


class Net(nn.Module):
    def __init__(self, dropout=0.25):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(32)
        self.dropout = nn.Dropout(dropout)
        self.fc1 = nn.Linear(32 * 7 * 7, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        x = self.dropout(torch.flatten(x, 1))
        x = F.relu(self.fc1(x))
        return self.fc2(x)


def read_idx(folder, name):
    """Read one of MNIST's idx files, e.g. train-images-idx3-ubyte[.gz]."""
    path = folder / name
    if path.exists():
        raw = path.read_bytes()
    else:
        raw = gzip.decompress((folder / (name + ".gz")).read_bytes())
    ndim = raw[3]
    shape = struct.unpack(f">{ndim}I", raw[4 : 4 + 4 * ndim])
    array = np.frombuffer(raw, dtype=np.uint8, offset=4 + 4 * ndim).reshape(shape)
    return torch.from_numpy(array.copy())


def load_mnist(folder, split):
    images = read_idx(folder, f"{split}-images-idx3-ubyte").unsqueeze(1).float() / 255
    labels = read_idx(folder, f"{split}-labels-idx1-ubyte").long()
    return TensorDataset((images - 0.1307) / 0.3081, labels)


def make_digits(count, seed):
    """Draw digits at random places with random strength, blur them, add noise."""
    rng = torch.Generator().manual_seed(seed)
    glyphs = torch.tensor([[[int(c) for c in row] for row in digit.split()] for digit in FONT])
    glyphs = F.interpolate(glyphs.float().unsqueeze(1), scale_factor=3)
    labels = torch.randint(0, 10, (count,), generator=rng)
    strength = 0.3 + 0.7 * torch.rand(count, generator=rng)
    corners = torch.randint(0, 8, (count, 2), generator=rng)
    images = torch.zeros(count, 1, 28, 28)
    for i, (label, (top, left)) in enumerate(zip(labels.tolist(), corners.tolist())):
        left += 3
        images[i, 0, top : top + 21, left : left + 15] = strength[i] * glyphs[label, 0]
    images = F.avg_pool2d(images, 3, stride=1, padding=1)
    images += 0.35 * torch.randn(images.shape, generator=rng)
    images.clamp_(0, 1)
    return TensorDataset((images - images.mean()) / images.std(), labels)


def log(epoch, done, total, loss):
    print(f"Train Epoch: {epoch} [{done:5d}/{total}]\tLoss: {loss.item():.6f}")


def train(args, model, train_loader, optimizer, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        optimizer.zero_grad()
        output = model(data)
        loss = F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % args.log_interval == 0:
            done = batch_idx * len(data)
            total = len(train_loader) * args.batch_size
            # runs behind the barrier that the loader sets for the next batch
            xm.add_step_closure(log, args=(epoch, done, total, loss))


def test(model, device, test_loader, total):
    model.eval()
    test_loss = torch.zeros((), device=device)
    correct = torch.zeros((), dtype=torch.long, device=device)
    with torch.no_grad():
        for data, target in test_loader:
            output = model(data)
            test_loss += F.cross_entropy(output, target, reduction="sum")
            pred = output.argmax(dim=1)
            correct += (pred == target).sum()

    accuracy = 100.0 * correct.item() / total
    print(f"Test set: Average loss: {test_loss.item() / total:.4f}, Accuracy: {accuracy:.2f}%")
    return accuracy


def main():
    parser = argparse.ArgumentParser(description="PyTorch MNIST")
    parser.add_argument("--data", type=Path, default=None, help="folder with MNIST's idx files")
    parser.add_argument("--train-size", type=int, default=4096, help="synthetic training images")
    parser.add_argument("--test-size", type=int, default=1024, help="synthetic test images")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--test-batch-size", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--dropout", type=float, default=0.25)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--gamma", type=float, default=0.7, help="learning rate decay per epoch")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log-interval", type=int, default=16)
    parser.add_argument("--save", metavar="PATH", help="save the best weights here")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch_xla.manual_seed(args.seed)
    device = torch_xla.device()

    if args.data is not None:
        train_set, test_set = load_mnist(args.data, "train"), load_mnist(args.data, "t10k")
    else:
        train_set, test_set = make_digits(args.train_size, 0), make_digits(args.test_size, 1)

    train_loader = DataLoader(
        train_set,
        batch_size=args.batch_size,
        shuffle=True,
        drop_last=True,
        num_workers=args.workers,
    )
    test_loader = DataLoader(test_set, batch_size=args.test_batch_size, num_workers=args.workers)
    train_loader = pl.MpDeviceLoader(train_loader, device)
    test_loader = pl.MpDeviceLoader(test_loader, device)

    model = Net(args.dropout).to(device)
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = StepLR(optimizer, step_size=1, gamma=args.gamma)

    best = 0.0
    for epoch in range(1, args.epochs + 1):
        xm.wait_device_ops()
        start = time.time()
        train(args, model, train_loader, optimizer, epoch)
        xm.wait_device_ops()
        seconds = time.time() - start
        images = len(train_loader) * args.batch_size
        print(f"Epoch {epoch}: {seconds:.1f} s, {images / seconds:.0f} images/s")

        accuracy = test(model, device, test_loader, len(test_set))
        scheduler.step()
        if accuracy > best:
            best = accuracy
            if args.save:
                xm.save(model.state_dict(), args.save)

    print(f"Best accuracy: {best:.2f}%")


if __name__ == "__main__":
    main()
