"""Train a small convolutional net on made-up images, on all GPUs of a machine.

The way of PyTorch's ImageNet example: `main()` starts a process for each GPU, `main_worker()` is what each of them runs.

    python train.py --multiprocessing-distributed
"""

import argparse
import os
import shutil
import time

import torch
import torch.backends.cudnn as cudnn
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser(description="Images on several GPUs")
parser.add_argument("--epochs", default=3, type=int)
parser.add_argument("-b", "--batch-size", default=64, type=int, help="of all GPUs of this machine")
parser.add_argument("--lr", default=0.02, type=float)
parser.add_argument("--train-size", default=2048, type=int)
parser.add_argument("--val-size", default=512, type=int)
parser.add_argument("--print-freq", default=8, type=int)
parser.add_argument("--workers", default=0, type=int)
parser.add_argument("--resume", default="", type=str)
parser.add_argument("--evaluate", action="store_true")
parser.add_argument("--seed", default=1, type=int)
parser.add_argument("--gpu", default=None, type=int, help="train on this GPU alone")
parser.add_argument("--world-size", default=1, type=int, help="number of machines")
parser.add_argument("--rank", default=0, type=int, help="number of this machine")
parser.add_argument("--dist-url", default="env://", type=str)
parser.add_argument("--dist-backend", default="nccl" if torch.cuda.is_available() else "gloo", type=str)
parser.add_argument("--multiprocessing-distributed", action="store_true")

best_acc = 0.0
CLASSES = 10


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.head = nn.Linear(32 * 4 * 4, CLASSES)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def images(size, seed):
    """Noisy pictures of ten kinds of stripes."""
    generator = torch.Generator().manual_seed(seed)
    label = torch.randint(CLASSES, (size,), generator=generator)
    line = torch.arange(16).float()
    wave = torch.sin(line[None, :] * (0.3 + 0.25 * label[:, None].float()))
    picture = wave[:, None, None, :].expand(size, 1, 16, 16)
    return TensorDataset(picture + 3.0 * torch.randn(size, 1, 16, 16, generator=generator), label)


def main():
    args = parser.parse_args()
    cudnn.benchmark = True
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "12356")
    args.distributed = args.world_size > 1 or args.multiprocessing_distributed
    ngpus_per_node = torch.cuda.device_count() if torch.cuda.is_available() else 1
    if args.multiprocessing_distributed:
        # as many processes as there are GPUs on all machines
        args.world_size = ngpus_per_node * args.world_size
        mp.spawn(main_worker, nprocs=ngpus_per_node, args=(ngpus_per_node, args))
    else:
        main_worker(args.gpu, ngpus_per_node, args)


def main_worker(gpu, ngpus_per_node, args):
    global best_acc
    args.gpu = gpu
    if args.distributed:
        if args.multiprocessing_distributed:
            args.rank = args.rank * ngpus_per_node + gpu
        dist.init_process_group(
            backend=args.dist_backend, init_method=args.dist_url, world_size=args.world_size, rank=args.rank
        )
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Net()
    if args.distributed:
        if torch.cuda.is_available():
            torch.cuda.set_device(args.gpu)
        model.to(device)
        args.batch_size = int(args.batch_size / ngpus_per_node)
        model = nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu] if torch.cuda.is_available() else None)
    else:
        model.to(device)

    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location=device)
        start, best_acc = checkpoint["epoch"], checkpoint["best_acc"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["scheduler"])

    train_set, val_set = images(args.train_size, 1), images(args.val_size, 2)
    if args.distributed:
        train_sampler = DistributedSampler(train_set)
        val_sampler = DistributedSampler(val_set, shuffle=False, drop_last=True)
    else:
        train_sampler = val_sampler = None
    train_loader = DataLoader(
        train_set, batch_size=args.batch_size, shuffle=(train_sampler is None), num_workers=args.workers,
        pin_memory=True, sampler=train_sampler, drop_last=True,
    )
    val_loader = DataLoader(
        val_set, batch_size=args.batch_size, shuffle=False, num_workers=args.workers, pin_memory=True,
        sampler=val_sampler,
    )
    if args.evaluate:
        validate(val_loader, model, criterion, device, args)
        return

    for epoch in range(start, args.epochs):
        if args.distributed:
            train_sampler.set_epoch(epoch)
        train(train_loader, model, criterion, optimizer, epoch, device, args)
        acc = validate(val_loader, model, criterion, device, args)
        scheduler.step()
        is_best = acc > best_acc
        best_acc = max(acc, best_acc)
        if not args.multiprocessing_distributed or args.rank % ngpus_per_node == 0:
            save_checkpoint(
                {
                    "epoch": epoch + 1,
                    "state_dict": model.state_dict(),
                    "best_acc": best_acc,
                    "optimizer": optimizer.state_dict(),
                    "scheduler": scheduler.state_dict(),
                },
                is_best,
            )


def train(loader, model, criterion, optimizer, epoch, device, args):
    model.train()
    end = time.time()
    for i, (picture, target) in enumerate(loader):
        picture = picture.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        loss = criterion(model(picture), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % args.print_freq == 0:
            print(f"Epoch {epoch} [{i}/{len(loader)}] Loss {loss.item():.4f} ({time.time() - end:.2f} s)")


def validate(loader, model, criterion, device, args):
    model.eval()
    loss, correct, count = torch.zeros(1, device=device), torch.zeros(1, device=device), 0
    with torch.no_grad():
        for picture, target in loader:
            picture = picture.to(device, non_blocking=True)
            target = target.to(device, non_blocking=True)
            output = model(picture)
            loss += criterion(output, target) * target.size(0)
            correct += (output.argmax(1) == target).sum()
            count += target.size(0)
    total = torch.cat([loss, correct, torch.tensor([float(count)], device=device)])
    if args.distributed:
        dist.all_reduce(total, op=dist.ReduceOp.SUM)
    loss, correct, count = total.tolist()
    print(f"Validation: loss {loss / count:.4f}, accuracy {100 * correct / count:.1f} %")
    return 100 * correct / count


def save_checkpoint(state, is_best, filename="checkpoint.pth.tar"):
    torch.save(state, filename)
    if is_best:
        shutil.copyfile(filename, "model_best.pth.tar")


if __name__ == "__main__":
    main()
