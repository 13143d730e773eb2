import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1)
for x in batches:
    x = x.to(device)

    def closure():
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        return loss

    loss = optimizer.step(closure)
    torch_xla.sync()
print(f"{loss.item():.5f}")
