"""A class method returns model and optimizer; the caller then moves the model."""
import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(width, 1)

    def forward(self, x):
        return self.body(x)

    @classmethod
    def from_config(cls, config):
        net = cls(config["width"])
        return net, torch.optim.Adam(net.parameters(), lr=config["lr"])  # wants: XP203


pair = Regressor.from_config({"width": 5, "lr": 0.01})
net = pair[0].to("cuda")
for _ in range(12):
    x = torch.randn(8, 5, device="cuda")
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    pair[1].zero_grad()
    loss.backward()
    pair[1].step()
print(loss.item())
