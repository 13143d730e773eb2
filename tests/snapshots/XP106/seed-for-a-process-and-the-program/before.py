from multiprocessing import Process

import torch
from torch import nn


def seed_all(number):
    torch.manual_seed(number)


def act(number):
    seed_all(number)


if __name__ == "__main__":
    seed_all(0)
    for i in range(3):
        Process(target=act, args=(i,)).start()
    net = nn.Linear(4, 2).to("cuda")
