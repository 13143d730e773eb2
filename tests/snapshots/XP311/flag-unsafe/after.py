import torch
from torch import nn
from torch.utils.data import DataLoader


def read_if_changed(tensor):
    """A copy on the host, made again only where the tensor has been written to."""
    known = id(tensor), tensor._version
    kept = getattr(tensor, "_kept_on_host", None)
    if kept is None or kept[0] != known:
        kept = tensor._kept_on_host = known, tensor.detach().cpu()
    return kept[1]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("ready", torch.tensor(0))

    def initialize(self, x):
        self.scale.data.copy_(1 / (x.std(0) + 1))
        self.ready.fill_(1)

    def forward(self, x):
        if self.training and read_if_changed(self.ready).item() == 0:
            self.initialize(x)
        return x * self.scale


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(8, 4), batch_size=4):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
