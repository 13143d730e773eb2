import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("ready", torch.tensor(0))

    def describe(self):
        return self.ready.item()

    def forward(self, x, verbose=False):
        if verbose:
            print(self.ready.item())
        return self.layer(x)


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(8, 4), batch_size=4):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
print(model.describe())
