import torch
from torch import nn

device = "cuda"
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_batch():
    x = torch.randn(4, 8)
    return x.to(device), x.sum(1, keepdim=True).to(device)


for step in range(100):
    total = 0.0
    for micro_step in range(8):
        x, y = get_batch()
        loss = nn.functional.mse_loss(model(x), y) / 8
        total += loss.item()
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(step, total)
