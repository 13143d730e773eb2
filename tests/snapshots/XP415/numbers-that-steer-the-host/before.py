import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
half = torch.jit.load("half.pt")
model = nn.Linear(4, 64).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for x in DataLoader(torch.zeros(64, 4)):
    scores = model(x.to(device)).flatten()
    order = scores.argsort(descending=True)
    # A search by halves: the bounds are numbers of the host.
    low, high = 0, 64
    while high - low > 1:
        middle = int((low + high) / 2)
        kept = scores[order[:middle]]
        if kept.abs().sum() > 3.0:
            high = middle
        else:
            low = middle
    # A number of passes.
    passes = 1
    if scores.mean() > 0.5:
        passes = 4
    for _ in range(passes):
        scores = scores * 0.5
    # The end of a slice.
    end = 64
    if scores.max() > 1.0:
        end = 32
    # A factor: nothing on the host asks for it.
    factor = 1.0
    if scores.min() > 0.0:
        factor = 0.5
    # Tensors: it is the condition that asks for a value, not what is chosen here.
    left = scores
    while torch.abs(left).mean() > 0.1:
        if torch.all(scores <= 1.0):
            left = half(left)
        left = left - 0.1
    loss = (scores * factor)[:end].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
