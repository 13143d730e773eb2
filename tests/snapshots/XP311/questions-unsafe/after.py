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


class Quantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = nn.Parameter(torch.ones(1))
        self.register_buffer("init_state", torch.zeros(1))
        self.register_buffer("observer", torch.tensor([1], dtype=torch.uint8))
        self.register_buffer("low", torch.tensor(0.0))

    def forward(self, x):
        if read_if_changed(self.init_state) == 0:
            self.s.data.copy_(2 * x.abs().mean())
            self.init_state.fill_(1)
        if read_if_changed(self.observer)[0] == 1:
            x = x + 1
        if not read_if_changed(self.low):
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
