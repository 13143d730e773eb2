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
    mask = valid.view(-1)
    mask_count = mask.sum()
    epe = epe.view(-1)
    return loss, torch.where(mask, epe, 0).sum() / mask_count, torch.where(mask, (epe < 1).float(), 0).sum() / mask_count, torch.where(mask, (epe < 3).float(), 0).sum() / mask_count


for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    loss, *metrics = sequence_loss(model(inputs), targets, targets)
    mask = inputs > 0
    mask_count = mask.sum()
    chosen = inputs
    loss = loss + torch.where(mask, chosen, 0).sum() / mask_count + torch.where(mask, chosen * 2, 0).sum() / mask_count
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
