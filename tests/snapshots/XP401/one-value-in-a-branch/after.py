import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.zeros(64, 4, device=device)
last = 63


class Trainer:
    def __init__(self, steps):
        self.steps = steps
        self.step = 0

    def train(self):
        for _ in range(self.steps):
            if self.step == 10:
                table[self.step] = 0
            else:
                table[self.step + 1] = 0
            loss = model(table).sum()
            loss.backward()
            optimizer.step()
            self.step += 1


for t in range(64):
    if t == last:
        table[t] = 1
    elif t != 5:
        table[t] = 2
    else:
        table[t + 1] = 3
    after = t + 1
    if not t or t + 1 in (8, 16):
        row = table[t]
    elif after == 20 and table[t + 2].sum() > 0:
        row = table[after - 2]
    else:
        row = table[t] if t == 40 else table[after]
    while t == 3:
        table[t] = 4
        t = t + 1
    loss = model(table).sum() + row.sum()
    loss.backward()
    optimizer.step()
    if t != last:
        continue
    table[t] = 5

for t in range(64):
    if t == last:
        t += 1
        table[t] = 1
    if t == t * 2 - 7:
        table[t] = 2
    if t < last:
        table[t] = 3
    loss = model(table).sum()
    loss.backward()
    optimizer.step()
