"""The queue gets the epoch's number and the random state of the host."""
from queue import Queue
from threading import Thread

import torch
from torch import nn


def writer(jobs):
    for path, state in iter(jobs.get, None):
        torch.save(state, path)  # never: XP702


def snapshot(**parts):
    return {name: part.state_dict() for name, part in parts.items()}


jobs = Queue()
thread = Thread(target=writer, args=(jobs,), daemon=True)
thread.start()
net = nn.Linear(4, 2).cuda()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for _ in range(5):
        loss = net(torch.randn(4, 4).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    jobs.put((f"/tmp/unseen_{epoch}.pt", {"epoch": epoch, "random": torch.get_rng_state()}))
jobs.put(None)
thread.join()
