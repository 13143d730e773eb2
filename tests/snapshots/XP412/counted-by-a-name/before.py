import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)


def reduced(loss, parts):
    return loss / parts["count"] if parts["count"] != 0 else loss * 0


for batch, labels in batches:
    x, labels = model(batch.to(device)), labels.to(device)
    seen = torch.where(nn.functional.one_hot(labels, 9).sum(0) != 0)[0]
    loss = reduced(x.sum(), {"count": len(seen)})
    large = (x > 2).nonzero()
    n = large.size(0)
    loss = loss + x.mean() * n
    small = torch.where(x < -2)
    if len(small[0]) > 0:
        loss = loss + x.pow(2).mean()
    kinds = labels.unique()
    loss = loss / kinds.numel()
    taken = (labels > 4).nonzero()
    order = torch.randperm(taken.size(0), device=device)  # another graph for each number
    loss = loss + order.float().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
