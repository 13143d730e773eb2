import torch
import torch.multiprocessing as mp
from torch import nn


def train(net, batch, steps):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()


def make():
    return nn.Linear(4, 2).cuda()


if __name__ == "__main__":
    mp.set_start_method("spawn")
    device = torch.device("cuda")
    first = nn.Linear(4, 2).to(device)
    second = make()
    batch = torch.zeros(8, 4).to(device)
    one = mp.Process(target=train, args=(first, batch, 3))
    two = mp.get_context("spawn").Process(target=train, kwargs={"net": second, "batch": batch, "steps": 3})
    one.start()
    one.join()
