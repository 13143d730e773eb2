import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x):
        x = self.layer(x)
        return x


device = torch_xla.device()
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
try:
    for step, x in enumerate([torch.randn(16, 8) for _ in range(6)]):
        out = model(x.to(device))
        if step % 100 == 0:
            assert not torch.isnan(out).any()
        loss = out.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
except AssertionError as error:
    print(error)
print(f"{loss.item():.5f}")
