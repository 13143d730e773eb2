import torch
import torch_xla
from torch import nn


def placed(model, samples):
    model.cuda()
    return (model(samples.cuda()) + samples.cuda()).square().mean()


def loss_of(model, samples):
    return placed(model, samples)


def toy():
    score = nn.Sequential(nn.Linear(2, 16), nn.Softplus(), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(score.parameters(), lr=0.001)
    for step in range(10):
        loss = loss_of(score, torch.randn(128, 2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()


toy()
