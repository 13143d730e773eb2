import torch
from torch.utils.data import DataLoader

from data import TextCollate
from model import PAD_ID, Net


def loaders(rows):
    collate = TextCollate(PAD_ID)
    options = dict(batch_size=8, collate_fn=collate)
    return DataLoader(rows, shuffle=True, **options)


device = torch.device("cuda")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in loaders([[1, 2], [3]] * 32):
    loss = model(batch.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
