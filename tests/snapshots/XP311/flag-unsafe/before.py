import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("ready", torch.tensor(0))

    def initialize(self, x):
        self.scale.data.copy_(1 / (x.std(0) + 1))
        self.ready.fill_(1)

    def forward(self, x):
        if self.training and self.ready.item() == 0:
            self.initialize(x)
        return x * self.scale


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(8, 4), batch_size=4):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
