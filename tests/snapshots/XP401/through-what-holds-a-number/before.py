import types
from dataclasses import dataclass
from functools import partial
import torch
from torch import nn

model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)).cuda()
optimizer = torch.optim.Adam(model.parameters())
text = torch.randint(30, (6, 64)).cuda()


def step(ids):
    loss = nn.functional.cross_entropy(model(ids).transpose(1, 2), ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


args = types.SimpleNamespace(length=4, other=2)
for _ in range(30):
    step(text[:, : args.length])
    step(text[:, : args.other])
    args.length += 1


class Trainer:
    def __init__(self):
        self.cfg = {"k": 1}
        self.sizes = self.widths()
        self.same = self.fixed()

    def widths(self):
        n = 3
        while True:
            yield n
            n = n + 1

    def fixed(self):
        while True:
            yield 7

    def train(self):
        for _ in range(30):
            step(text[:, : self.cfg["k"]])
            step(text[:, : next(self.sizes)])
            step(text[:, : next(self.same)])


Trainer().train()


@dataclass
class Cfg:
    length: int = 4


cfg = Cfg()
for _ in range(30):
    step(text[:, : cfg.length])
    cfg.length += 2

pairs = [(i, 2 * i) for i in range(30)]
for low, high in pairs:
    step(text[:, :high])

lengths = iter(range(4, 40))
for _ in range(30):
    step(text[:, : next(lengths)])

take = lambda n: text[:, :n]
for n in range(30):
    step(take(n))

crop = partial(lambda ids, n: ids[:, :n], text)
for n in range(30):
    step(crop(n))

sizes = {"a": [8, 9, 10, 11, 12, 13]}
for n in sizes["a"]:
    step(text[:, :n])
stack = []
for n in range(30):
    stack.append(n)
    step(text[:, : stack[0]])
    step(text[:, : len(stack)])
