import torch
from torch import nn

from trainer import Trainer


def main():
    model = nn.Linear(20, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    trainer = Trainer(optimizer=optimizer, model=model)
    trainer.fit()
