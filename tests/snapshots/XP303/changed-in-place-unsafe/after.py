import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader


def train(model, data, epochs):
    device = torch_xla.device()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    mean = torch.zeros((), device=device)
    means, losses = [], []
    for epoch in range(epochs):
        for x, y in DataLoader(data, batch_size=4):
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean.mul_(0.9).add_(loss.detach(), alpha=0.1)
            means.append(mean.clone())
            torch_xla.sync()
            losses.append(loss.detach())
    print(sum(mean.item() for mean in means), sum(loss.item() for loss in losses))
