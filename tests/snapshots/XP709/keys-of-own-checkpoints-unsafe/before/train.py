import argparse

import torch
from torch import nn

from saving import save_model


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--resume")
    return parser.parse_args()


def main():
    opt = options()
    model = nn.Linear(4, 2).cuda()
    if opt.resume:
        checkpoint = torch.load(opt.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
    for epoch in range(opt.epochs):
        save_model(model, opt, f"epoch_{epoch}.pt")


main()
