import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
from torch.utils.data import DataLoader

for x in DataLoader(torch.randn(50, 8), batch_size=16):
    count = len(x)
    x = torch.nn.functional.pad(x, (0, 0, 0, 16 - count))
    x = x.to(device)
    mask = torch.arange(16, device=device) < count
    loss = torch.where(mask[:, None], model(x).square(), 0).sum() / (4 * count)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
