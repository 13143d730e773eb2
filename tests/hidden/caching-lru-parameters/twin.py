"""The factory is not cached: each call makes a new list."""
import torch
from torch import nn


def trainable(module):
    return [weight for weight in module.parameters() if weight.requires_grad]  # never: XP208


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 20), nn.Linear(20, 4)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


net = Net()
print(sum(weight.numel() for weight in trainable(net)), "weights")  # never: XP208
net.cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(20):
    x = torch.randn(8, 4).cuda()
    loss = (net(x) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trainable(net), 1.0)  # never: XP208
    optimizer.step()
print(loss.item())
