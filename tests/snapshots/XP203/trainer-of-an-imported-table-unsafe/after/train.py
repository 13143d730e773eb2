import argparse

import torch
from torch import nn

from trainers import TRAINERS


def main(args):
    device = torch.device("cuda")
    model = nn.Linear(2, 1)
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), 0.1)
    Trainer = TRAINERS[args.kind]
    trainer = Trainer(model, optimizer)
    trainer.place(device)
    trainer.step(torch.randn(4, 2).to(device))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", default="plain")
    main(parser.parse_args())
