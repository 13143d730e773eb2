import torch
import torch_xla
from torch import nn, optim

device = torch_xla.device()


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        nn.init.constant_(self.layer.weight, 0.5)
        nn.init.zeros_(self.layer.bias)
        self.to(torch_xla.device())
        self.optim = optim.SGD(self.parameters(), lr=0.01)

    def forward(self, x):
        return self.layer(x)


critic = eval("Critic")().to(device)
for x in [torch.ones(4, 8) * n for n in range(4)]:
    loss = critic(x.to(device)).square().mean()
    critic.optim.zero_grad()
    loss.backward()
    critic.optim.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
