import sys

import torch
from torch import nn
from trainer import RowTrainer


def train(kind):
    device = torch.device("cuda")
    model = nn.Linear(4, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def get_batch():
        states = torch.randn(8, 5, 4).to(device)
        actions = torch.randn(8, 5, 3).to(device)
        mask = torch.randint(0, 2, (8, 5)).to(device)
        return states, actions, mask

    if kind == "squared":
        trainer = RowTrainer(
            model, optimizer, get_batch, loss_fn=lambda s_hat, a_hat, r_hat, s, a, r: torch.mean((a_hat - a) ** 2)
        )
    else:
        trainer = RowTrainer(
            model, optimizer, get_batch, loss_fn=lambda s_hat, a_hat, r_hat, s, a, r: nn.functional.l1_loss(a_hat, a)
        )
    trainer.train(100)


if __name__ == "__main__":
    train(sys.argv[1])
