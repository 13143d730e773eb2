import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
pairs = [(torch.randn(16, 8), torch.randint(0, 4, (16,))) for _ in range(6)]
for x, labels in pairs:
    x = x.to(device)
    labels = labels.to(device)
    out = model(x)
    rows = (labels == 2).nonzero().squeeze(1)
    loss = out[rows].square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
