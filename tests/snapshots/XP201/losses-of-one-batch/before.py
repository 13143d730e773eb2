import torch
from torch import nn

device = "cuda"
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_batch():
    x = torch.randn(4, 8)
    return x.to(device), x.sum(1, keepdim=True).to(device)


heads = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1)]).to(device)
for step in range(100):
    x, y = get_batch()
    losses = [nn.functional.mse_loss(head(model(x)), y) for head in heads]
    optimizer.zero_grad()
    for loss in losses:
        loss.backward(retain_graph=True)
    for wanted in (y, -y):
        nn.functional.mse_loss(model(x), wanted).backward()
    for _ in range(2):
        nn.functional.mse_loss(model(x), y).backward(retain_graph=True)
    optimizer.step()
