import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 2).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def flow_loss(flow, truth, valid):
    valid = valid >= 0.5
    error = torch.sum((flow - truth) ** 2, dim=1).sqrt()
    error = torch.where(valid.view(-1), error.view(-1), 0)
    metrics = {"error": error.sum() / valid.view(-1).sum(), "below one": torch.where(valid.view(-1), (error < 1).float(), 0).sum() / valid.view(-1).sum()}
    return (flow - truth).abs().mean(), metrics


def depth_loss(depth, truth):
    mask = truth > 0
    seen = torch.where(mask, depth, 0)
    known = torch.where(mask, truth, 0)
    difference = seen - known
    loss = difference.abs().sum() / mask.sum() + difference.pow(2).sum() / mask.sum()
    return loss + F.l1_loss(seen, known) * mask.numel() / mask.sum(), known.sum() / mask.sum()


for x, y in DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2))):
    x, y = x.to("cuda"), y.to("cuda")
    out = model(x)
    optimizer.zero_grad()
    first, metrics = flow_loss(out, y, y[:, 0])
    second, mean = depth_loss(out, y)
    (first + second).backward()
    optimizer.step()
