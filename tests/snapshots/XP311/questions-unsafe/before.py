import torch
from torch import nn
from torch.utils.data import DataLoader


class Quantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = nn.Parameter(torch.ones(1))
        self.register_buffer("init_state", torch.zeros(1))
        self.register_buffer("observer", torch.tensor([1], dtype=torch.uint8))
        self.register_buffer("low", torch.tensor(0.0))

    def forward(self, x):
        if self.init_state == 0:
            self.s.data.copy_(2 * x.abs().mean())
            self.init_state.fill_(1)
        if self.observer[0] == 1:
            x = x + 1
        if not self.low:
            self.low = x.min().detach()
        return x * self.s


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = Quantizer()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(self.q(x))


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.rand(8, 4), batch_size=4):
    loss = model(x.to("xla")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
