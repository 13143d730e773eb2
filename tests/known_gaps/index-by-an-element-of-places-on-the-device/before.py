import torch
from torch import nn


def match(overlaps, found, row):
    best = overlaps.max(1)[1]
    truth = overlaps.max(0)[1]
    for j in range(best.size(0)):
        truth[best[j]] = j
    found[row] = truth


model = nn.Linear(4, 10).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    out = model(torch.rand(8, 4).cuda())
    found = torch.zeros(8, 10, dtype=torch.long, device="cuda")
    for row in range(8):
        match(torch.rand(5, 10).cuda(), found, row)
    loss = (out * found).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
