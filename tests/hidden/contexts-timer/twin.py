"""The timer is around work of the host."""
import time
import torch
from torch import nn


class Timer:
    def __enter__(self):
        self.begin = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.seconds = time.perf_counter() - self.begin  # never: XP210
        print("took", self.seconds > 0)


model = nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train():
    for step in range(20):
        loss = model(torch.randn(32, 64).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train()
with Timer():  # never: XP210
    print(sum(range(1000)))
