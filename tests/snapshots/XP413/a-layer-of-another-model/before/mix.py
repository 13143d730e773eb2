import torch
from nets import Mixed
from torch import nn
from torch.utils.data import DataLoader


def collate(rows):
    width = max(len(row) for row in rows)
    return torch.stack([nn.functional.pad(row, (0, width - len(row))) for row in rows])


device = torch.device("cuda")
model = Mixed().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader([torch.ones(3), torch.ones(5)] * 9, batch_size=2, collate_fn=collate):
    loss = model(x.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
