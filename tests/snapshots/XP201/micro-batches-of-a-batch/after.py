import torch
import torch_xla
from torch import nn

device = "cuda"
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_batch():
    x = torch.randn(64, 8)
    return x.to(device), x.sum(1, keepdim=True).to(device)


for step in range(100):
    x, y = get_batch()
    optimizer.zero_grad()
    for part, wanted in zip(x.chunk(8), y.chunk(8)):
        loss = nn.functional.mse_loss(model(part), wanted) / 8
        loss.backward()
        torch_xla.sync()
    optimizer.step()
    torch_xla.sync()
