import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)


def sequence_loss(prediction, target, valid):
    valid = (valid >= 0.5) & (target.abs() < 400)
    loss = (prediction - target).abs().mean()
    epe = (prediction - target).pow(2).sqrt()
    epe = epe.view(-1)[valid.view(-1)]
    return loss, epe.mean(), (epe < 1).float().mean(), (epe < 3).float().mean()


for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    loss, *metrics = sequence_loss(model(inputs), targets, targets)
    chosen = inputs[inputs > 0]
    loss = loss + chosen.mean() + (chosen * 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
