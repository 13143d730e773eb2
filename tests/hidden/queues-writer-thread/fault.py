"""A thread writes the checkpoints that the training puts into a queue, as pairs of a path and a state."""
from queue import Queue
from threading import Thread

import torch
from torch import nn


def writer(jobs):
    for path, state in iter(jobs.get, None):
        torch.save(state, path)  # wants: XP702


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
    jobs.put((f"/tmp/unseen_{epoch}.pt", snapshot(net=net, optimizer=optimizer)))
jobs.put(None)
thread.join()
