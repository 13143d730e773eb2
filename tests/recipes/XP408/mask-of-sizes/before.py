import torch
import torch_xla
from torch import nn
import torch.nn.functional as F

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = [torch.randn(16, 8) for _ in range(6)]
targets = [torch.randint(0, 4, (16,)) for _ in range(6)]
for x, labels in zip(inputs, targets):
    x = x.to(device)
    labels = labels.to(device)
    out = model(x)
    others = (~torch.eye(16, dtype=torch.bool)).to(device, torch.bool)
    scores = out @ out.t()
    loss = scores[others].view(16, -1).logsumexp(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
