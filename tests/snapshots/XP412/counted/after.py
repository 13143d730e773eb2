import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    labels = labels.to(device)
    x = model(batch.to(device))
    correct = int((x.argmax(1) == labels).sum())
    right = int((x.argmax(1) == labels).sum())
    known = int((labels >= 0).sum())
    classes = int(labels.count_nonzero())
    places = (x > 0).nonzero()
    loss = x.sum() / known + classes + correct + right + len(places)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
