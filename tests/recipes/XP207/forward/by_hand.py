import torch
import torch_xla
from torch import nn

device = torch_xla.device()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        x = self.a(x)
        return self.b(x)


model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for n in range(4):
    loss = model(torch.ones(8, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
