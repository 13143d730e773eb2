import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    x, labels = model(batch.to(device)), labels.to(device)
    y = x * 1
    y[torch.where(labels > 3)] = 0.0  # rows
    y[torch.where(y > 0)] = x.mean()  # no number
    y[(y > 0).nonzero()] = 1.0  # rows, by both of their places
    y[y.nonzero(as_tuple=True)] = 1.0  # of numbers, and no truth values
    mask = y > 2
    places = torch.where(mask)
    mask.logical_or_(y < 0)
    y[places] = 3.0  # of the mask as it was
    others = torch.where(y > 4)
    y[others] = 4.0
    loss = y.sum() + len(others[0])
    y = y[0]
    y[others[0]] = 1.0
    loss = loss + y.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    w = model(batch.to(device)) * 1
    in_rows = torch.where(w > 3)[0]
    w[in_rows] = 2.0  # whole rows
    close = w > 2
    also = close
    shared = torch.where(close)
    also.zero_()
    w[shared] = 7.0
    self_made = (w > 1).bool()
    of_call = torch.where(self_made.view(4, -1))
    w[of_call] = 8.0
    w.sum().backward()
