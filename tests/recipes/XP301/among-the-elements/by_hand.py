import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
seen = torch.zeros((), dtype=torch.long, device=device)
for step, x in enumerate(batches):
    x = x.to(device)
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    found = model(x).argmax(1)
    seen += (found == 3).any().long()
    torch_xla.sync()
print(seen.item())
