import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, labels in torch.utils.data.DataLoader([(torch.zeros(8), 1)] * 64, batch_size=16):
    labels = labels.to(device)
    out = model(x.to(device))
    n = int(labels.max())
    loss = out[n - 1].sum() + out[: n + 1].sum() + out[: -n - 1].sum() + torch.ones(n + 1, device=device).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
