import torch
import torch.nn as nn
import torch_xla
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), batch_size=8)
model = nn.Linear(8, 1).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def loss_batch(x, y, train=True):
    loss = nn.functional.mse_loss(model(x.to("cuda")), y.to("cuda"))
    if train:
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    torch_xla.sync()
    return loss.item(), len(x)


for epoch in range(4):
    for x, y in loader:
        loss_batch(x, y)
    losses = [loss_batch(x, y, False) for x, y in loader]
