import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def loss_batch(x, optimize=True):
    out = model(x.to(device))
    loss = out.mean()
    if optimize:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    hits = (out > 0).sum()
    torch_xla.sync()
    return loss.item(), len(x), float(hits.item())


for epoch in range(3):
    for x in loader:
        loss_batch(x)
    losses, sizes, hits = zip(*[loss_batch(x, False) for x in loader])
    print(epoch, sum(a * b for a, b in zip(losses, sizes)) / sum(sizes), sum(hits))
