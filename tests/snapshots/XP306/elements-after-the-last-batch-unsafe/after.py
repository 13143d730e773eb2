"""What the host does with the elements of each batch runs after the last one: no batch waits for it."""

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.randn(4), i % 10) for i in range(64)]


@torch.no_grad()
def mistakes(most=None):
    results, shown = [], 0
    loader = DataLoader(data, batch_size=16)
    kept = []
    for number, (x, y) in enumerate(loader):
        x = x.to(device)
        found = model(x).argmax(1)
        wanted = y.to(device)
        kept.append((x.size(0), number, found, wanted))
        if most is not None and number + 1 >= most:
            break
    for x_size, number, found, wanted in kept:
        found, wanted = found.cpu(), wanted.cpu()
        # right or wrong
        right = (found == wanted).cpu()
        for i in range(x_size):
            results.append(int(right[i]))
            if not right[i] and shown < 5:
                shown += 1
                print("batch %d claims %d but is %d" % (number, found[i], wanted[i]))
    return sum(results)


@torch.no_grad()
def pairs():
    listed = []
    kept = []
    for x, y in DataLoader(data, batch_size=16):
        best = model(x.to(device)).max(1).values

        kept.append((len(y), best))
    for y_size, best in kept:
        best = best.cpu()
        for i in range(y_size):
            listed.append((i, best[i].item()))
    return listed


for epoch in range(10):
    for x, y in DataLoader(data, batch_size=16):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(mistakes(), mistakes(2), pairs())
