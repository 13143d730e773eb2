import torch
from torch import nn


def overlap(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    if one.shape[1] != 4 or other.shape[1] != 4:
        raise IndexError("four numbers for each box")
    return (one[:, None, :2] - other[:, :2]).clamp(min=0).prod(2)


def by_count(boxes: torch.Tensor) -> torch.Tensor:
    return boxes.sum(0) / boxes.shape[0]


device = torch.device("cuda")
model = nn.Linear(5, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for labels, counts in torch.utils.data.DataLoader([(torch.zeros(9, 5), 3)] * 64, batch_size=8):
    labels, counts = labels.to(device), counts.to(device)
    loss = 0.0
    for row in range(8):
        count = int(counts[row])
        boxes = labels[row, :count, 1:5]
        loss = loss + overlap(boxes, model(labels[row])).sum()
        least = labels[row, :count, 1:5]
        loss = loss + by_count(least).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
