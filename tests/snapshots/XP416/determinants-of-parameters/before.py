import torch
from torch import nn


class Mixing(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 1, bias=False)

    def forward(self, z):
        size, _, length = z.size()
        weight = self.conv.weight.squeeze()
        log_det = size * length * torch.logdet(weight)
        return self.conv(z), log_det, weight.slogdet()[1]


model = Mixing(4).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    z, log_det, other = model(torch.randn(2, 4, 8, device="xla"))
    loss = z.square().mean() - log_det - other
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
