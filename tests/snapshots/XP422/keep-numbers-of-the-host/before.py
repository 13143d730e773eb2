import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
largest = int(torch.ones(3, device=device).sum().item())  # once, before the steps
batches = torch.utils.data.DataLoader([(torch.zeros(9, 4), 5)] * 64, batch_size=8)
for step, (batch, lengths) in enumerate(batches):
    longest = lengths.max().item()  # of the host
    kept = batch[:, :longest]
    x = model(batch.to(device))
    place = torch.full((1,), 2, device=device)
    row = x[place]  # one element, one dimension
    mask = torch.arange(x.size(1), device=device) < x.size(0)
    scale = x.mean().item()
    y = x * scale + scale ** 2 + x.clamp(max=scale)  # no part of the graph
    power = x ** x.mean()
    half = x[:, : x.shape[1] // 2]
    loss = y.sum() + row.sum() + half.sum() + mask.sum() + power.sum() + kept.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(x[: int(x.sum())])
