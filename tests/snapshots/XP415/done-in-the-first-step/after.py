import torch
from torch import nn


class Scale(nn.Module):
    """Takes its scale from the first batch, and counts."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("ready", torch.tensor(0))
        self.register_buffer("fresh", torch.tensor(True))
        self.register_buffer("count", torch.tensor(0))

    def begin(self, x):
        if self.ready:
            return
        self.scale.data.copy_(x.std(0))
        self.ready.data.copy_(torch.tensor(1))

    def forward(self, x):
        self.begin(x)
        if self.fresh.item() == 1:
            self.scale.data.mul_(2)
            self.fresh.fill_(False)
        if self.count < 10:
            self.count += 1
        return x * self.scale


model = Scale().to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = model(x.to("cuda")).sum()
    loss.backward()
    optimizer.step()
