import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x):
        counts = (x > 0).sum(1)
        out = self.layer(x)
        return out.index_select(1, counts.max().clamp(max=4).view(1) - 1).squeeze(1)


device = torch_xla.device()
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in [torch.randn(16, 8) for _ in range(6)]:
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
