import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(9, 4), 5)] * 64, batch_size=8)
for batch, lengths in batches:
    x, lengths = model(batch.to(device)), lengths.to(device)
    longest = lengths.max().item()
    mask = torch.arange(longest, device=device) < lengths[:, None]
    x = x[:, :longest]
    first = x[:, : lengths.max()]
    start = lengths.min()
    later = x[:, start:]
    place = lengths.argmax()
    row = x[place]
    other = x[int(lengths[0])]
    parts = x.split(lengths.tolist(), dim=0)
    best, _ = x.topk(lengths.min().item(), dim=1)
    room = torch.zeros(8, int(lengths.sum()) + 1, device=device)
    sizes = lengths.tolist()
    rows = [x[i, :n] for i, n in enumerate(sizes)]
    loss = first.sum() + later.sum() + row.sum() + other.sum() + best.sum() + room.sum() + mask.sum()
    loss = loss + sum(p.sum() for p in parts) + sum(r.sum() for r in rows)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
