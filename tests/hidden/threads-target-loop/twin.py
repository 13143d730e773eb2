"""The thread's function only adds up sizes."""
import queue
import threading

import torch
from torch import nn


def consume(inbox, learn):
    while (batch := inbox.get()) is not None:  # never: XP201
        learn(batch)


class Student:
    def __init__(self):
        self.net = nn.Linear(5, 5).cuda()
        self.rule = torch.optim.Adam(self.net.parameters())

    def learn(self, batch):
        self.seen = getattr(self, "seen", 0) + batch.size(0)


student, inbox = Student(), queue.Queue(maxsize=4)
worker = threading.Thread(target=consume, args=(inbox, student.learn))
worker.start()
for _ in range(40):
    inbox.put(torch.randn(16, 5))
inbox.put(None)
worker.join()
print(student.net.weight.norm().item())
