import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    labels = labels.to(device)
    x = model(batch.to(device))
    correct = len(torch.nonzero(x.argmax(1) == labels))
    right = (x.argmax(1) == labels).nonzero().size(0)
    known = torch.where(labels >= 0)[0].numel()
    classes = labels.nonzero(as_tuple=True)[0].shape[0]
    places = (x > 0).nonzero()
    loss = x.sum() / known + classes + correct + right + len(places)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
