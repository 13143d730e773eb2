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
        self.layer = nn.Linear(4, 4)
        self.register_buffer("table", torch.zeros(4))
        self.register_buffer("ready", torch.Tensor([False]))

    def prepare(self, x):
        if read_if_changed(self.ready):
            return
        self.table.data.copy_(x.mean(0))
        self.ready.copy_(torch.Tensor([True]))

    def forward(self, x):
        self.prepare(x)
        return self.layer(x) + self.table


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(8, 4), batch_size=4):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
