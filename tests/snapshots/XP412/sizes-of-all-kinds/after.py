import torch
import torchvision
from torch import nn
from torchvision.ops import nms

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    x, labels = model(batch.to(device)), labels.to(device)
    boxes, scores = x.abs(), x.sum(1)
    kinds, counts = torch.unique(labels, return_counts=True)
    runs = labels.unique_consecutive()
    repeated = x.repeat_interleave(labels, dim=0)
    owners = torch.repeat_interleave(labels)
    kept = nms(boxes, scores, 0.5)
    of_each = torchvision.ops.batched_nms(boxes, scores, labels, 0.5)
    large = torchvision.ops.remove_small_boxes(boxes, 1)
    rows = torch.argwhere(labels)
    loss = x.sum() + repeated.sum() + boxes[kept].sum() + boxes[of_each].sum() + boxes[large].sum()
    loss = loss + kinds.sum() + counts.sum() + runs.sum() + owners.sum() + rows.float().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
