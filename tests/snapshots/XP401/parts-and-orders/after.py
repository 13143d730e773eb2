import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(2000, 2000, device=device)
for step in range(1000):
    kept = max(1, int(step * 0.1))
    best = x.topk(kept).values
    loss = model(best.roll(step, dims=0)[:, :8]).mean()
    loss = loss + torch.narrow(x, 0, step, 4).sum() + x.select(0, step).sum() + torch.tril(x, diagonal=step).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
