"""Train a residual network as the ImageNet recipe does.

    python train.py                     # synthetic images, nothing to download
    python train.py -a resnet14 --epochs 10
"""

import argparse
import random

import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.optim.lr_scheduler import StepLR

import model as models
from data import RandomShift, Waves
from engine import train, validate
from utils import save_checkpoint

parser = argparse.ArgumentParser(description="PyTorch ImageNet-style training")
parser.add_argument("-a", "--arch", default="resnet8", choices=["resnet8", "resnet14"])
parser.add_argument("-j", "--workers", default=2, type=int, help="number of data loading workers")
parser.add_argument("--epochs", default=4, type=int)
parser.add_argument("--start-epoch", default=0, type=int, help="manual epoch number (on restarts)")
parser.add_argument("-b", "--batch-size", default=64, type=int)
parser.add_argument("--lr", default=0.05, type=float, help="initial learning rate")
parser.add_argument("--momentum", default=0.9, type=float)
parser.add_argument("--wd", "--weight-decay", default=1e-4, type=float, dest="weight_decay")
parser.add_argument("--step-size", default=2, type=int, help="epochs between the decays of the learning rate")
parser.add_argument("-p", "--print-freq", default=10, type=int)
parser.add_argument("--resume", default="", metavar="PATH", help="path to the latest checkpoint")
parser.add_argument("-e", "--evaluate", action="store_true", help="evaluate on the validation set only")
parser.add_argument("--seed", default=None, type=int, help="seed for initializing training")
parser.add_argument("--train-size", default=2048, type=int, help="synthetic training images")
parser.add_argument("--val-size", default=512, type=int, help="synthetic validation images")
parser.add_argument("--save", action="store_true", help="write checkpoint.pth.tar and model_best.pth.tar")

best_acc1 = 0


def main():
    global best_acc1
    args = parser.parse_args()

    if args.seed is not None:
        random.seed(args.seed)
        torch.manual_seed(args.seed)
        torch_xla.manual_seed(args.seed)
    device = torch_xla.device()

    # create model
    print(f"=> creating model '{args.arch}'")
    model = models.__dict__[args.arch]().to(device)

    # define loss function (criterion), optimizer, and learning rate scheduler
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(
        model.parameters(), args.lr, momentum=args.momentum, weight_decay=args.weight_decay
    )
    scheduler = StepLR(optimizer, step_size=args.step_size, gamma=0.1)

    # optionally resume from a checkpoint
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        args.start_epoch = checkpoint["epoch"]
        best_acc1 = checkpoint["best_acc1"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["scheduler"])
        print(f"=> loaded checkpoint '{args.resume}' (epoch {checkpoint['epoch']})")

    # data loading code
    train_dataset = Waves(args.train_size, seed=1, transform=RandomShift(2))
    val_dataset = Waves(args.val_size, seed=2)
    train_loader = torch.utils.data.DataLoader(
        train_dataset,
        batch_size=args.batch_size,
        shuffle=True,
        num_workers=args.workers,
        drop_last=True,
    )
    val_loader = torch.utils.data.DataLoader(
        val_dataset, batch_size=args.batch_size, shuffle=False, num_workers=args.workers
    )
    train_loader = pl.MpDeviceLoader(train_loader, device)
    val_loader = pl.MpDeviceLoader(val_loader, device)

    if args.evaluate:
        validate(val_loader, model, criterion, device, args)
        return

    for epoch in range(args.start_epoch, args.epochs):
        # train for one epoch
        train(train_loader, model, criterion, optimizer, epoch, device, args)

        # evaluate on validation set
        acc1 = validate(val_loader, model, criterion, device, args)

        scheduler.step()

        # remember best acc@1 and save checkpoint
        is_best = acc1 > best_acc1
        best_acc1 = max(acc1, best_acc1)

        if args.save:
            save_checkpoint(
                {
                    "epoch": epoch + 1,
                    "arch": args.arch,
                    "state_dict": model.state_dict(),
                    "best_acc1": best_acc1,
                    "optimizer": optimizer.state_dict(),
                    "scheduler": scheduler.state_dict(),
                },
                is_best,
            )

    print(f"Best Acc@1 {best_acc1:.3f}")


if __name__ == "__main__":
    main()
