import argparse

import torch
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out")
    args = parser.parse_args()
    device = torch.device("cuda")
    model = nn.Linear(4, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    best = 0.0
    for epoch in range(3):
        torch.save(model.state_dict(), args.out)
        torch.save(
            {
                "epoch": epoch + 1,
                "arch": args.arch,
                "args": vars(args),
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "best": best,
            },
            f"{args.out}/last-{epoch}.pt",
        )
    state = {"model": model.state_dict()}
    state["epoch"] = 3
    torch.save(obj=state, f=args.out)
    torch.save(model(torch.zeros(1, 4, device=device)).detach(), "logits.pt")
