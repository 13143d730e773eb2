import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    lengths = torch.randint(1, 16, (4,)).to(device)
    out = model(torch.randn(16, 8).to(device))
    loss = out[int(lengths.min()) :].square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
