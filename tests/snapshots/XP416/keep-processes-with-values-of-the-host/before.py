import multiprocessing

import torch
from torch import nn


class Worker:
    def Process(self, target, args):
        return target(*args)


def act(net, batch, steps):
    for _ in range(steps):
        net(batch)


if __name__ == "__main__":
    device = torch.device("cuda")
    shared = nn.Linear(4, 2)
    learner = nn.Linear(4, 2).to(device)
    batch = torch.zeros(8, 4)
    process = multiprocessing.Process(target=act, args=(shared, batch, 3))
    process.start()
    process.join()
    Worker().Process(act, (learner, batch.to(device), 3))
