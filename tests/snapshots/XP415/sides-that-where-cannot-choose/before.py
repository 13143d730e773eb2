import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def one_for_each(x, n):
    """The next place is asked about only when the last one was found."""
    places = torch.argwhere(x > 3.0)
    found, seen = [], 0
    for row in range(n):
        if seen < places.size(0) and places[seen][0] == row:
            found.append(places[seen])
            seen += 1
        else:
            found.append(torch.tensor([row, 0], device=places.device))
    return torch.stack(found)


def padded(x, sizes):
    size = torch.tensor([x.numel()], device=x.device)
    if size != max(sizes):
        x = torch.cat((x, torch.zeros(max(sizes) - int(size), device=x.device)))
    total = torch.tensor([x.numel()], device=x.device)
    torch.distributed.all_reduce(total)
    if total > 99:  # what the others have, the host does not know
        x = x * 0.5
    if x.sum() > 1.0:
        x = torch.cat((x, x[:1]))
    bad = 0
    for n in sizes:
        if x.mean() > n:  # only counted
            bad += 1
            x = x * 0.5
    return x, bad


for batch in DataLoader(torch.zeros(64, 4)):
    out = model(batch.to(device))
    rest, bad = padded(out.flatten(), [9, 64])
    loss = out[one_for_each(out, 4)].sum() + rest.sum() + bad
    loss.backward()
    optimizer.step()
