import torch
import torch_xla
from torch import nn


class Average(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.register_buffer("kept", torch.tensor([scale, 0.5]))

    def forward(self, x):
        return x * self.kept[0].item()


device = torch_xla.device()


def make():
    model = nn.Linear(8, 4)
    average = Average(2.0)
    return model.to(device), average.to(device)


model, average = make()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in [torch.randn(16, 8) for _ in range(6)]:
    loss = average(model(x.to(device))).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
