import torch
from torch import nn
from torch.utils.data import DataLoader


def spread(tensor):
    tensor.data.add_(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("given", torch.tensor(0))
        self.register_buffer("named", torch.tensor(0))
        self.register_buffer("replaced", torch.tensor(0))
        self.register_buffer("shared", torch.tensor(0.5))
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        other = self.named
        if self.given.item() == 0 or self.named.item() == 0 or self.replaced.item() == 0:
            spread(self.given)
            other.data.add_(1)
            self.replaced.data = torch.tensor(1, device=x.device)
        out = self.layer(x) * self.shared * self.scale
        if self.shared.item() < 1:
            self.shared.data.add_(0.25)
        return out


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(8, 4), batch_size=4):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
