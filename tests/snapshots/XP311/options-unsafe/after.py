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
        self.register_buffer("options", torch.tensor([3, 0.5, -1.0]))

    def forward(self, x):
        heat = read_if_changed(self.options)[1].item()
        size = read_if_changed(self.options)[2].item()
        out = self.layer(x) / heat
        if size < 0:
            self.options[2] = out.mean() * 100
            size = self.options[2].clone().detach().item()
        return out / size


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(8, 4), batch_size=4):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
