import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(100, 8, 4, device=device):
    x = model(batch)
    y = x * 1
    y[y > 3] = x[y > 3]
    y[y > 2] = x.mean()
    kept = y < -1
    y[kept] = 1 - y[kept]
    y[kept] = (x[kept] * 2).exp()
    y[~kept] *= 0.5
    y[y < -2] -= 1
    y[kept] += x[kept] * 3
    y[kept] /= -2
    (y * 2)[y < 0] = 0.0
    loss = y.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
