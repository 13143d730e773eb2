import argparse

import torch
import torch_xla.core.xla_model as xm
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
        xm.save(model.state_dict(), args.out)
        xm.save(
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
    xm.save(data=state, file_or_path=args.out)
    xm.save(model(torch.zeros(1, 4, device=device)).detach(), "logits.pt")
