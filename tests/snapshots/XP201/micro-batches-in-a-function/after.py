import torch
import torch_xla
from torch import nn

device = "cuda"
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_batch():
    x = torch.randn(4, 8)
    return x.to(device), x.sum(1, keepdim=True).to(device)


def accumulate(model, count):
    for _ in range(count):
        x, y = get_batch()
        loss = nn.functional.mse_loss(model(x), y) / count
        loss.backward()
        if count > 1:
            torch_xla.sync()


for step in range(100):
    accumulate(model, 8)
    optimizer.step()
    optimizer.zero_grad()
    torch_xla.sync()
