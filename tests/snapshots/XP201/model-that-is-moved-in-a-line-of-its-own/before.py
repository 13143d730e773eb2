import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 8, 3)

    def encode(self, x):
        return self.layer(x).max(1)[1]

    def forward(self, x):
        return self.encode(x)


class Table:
    def to(self, device):
        return str(device)

    def encode(self, x):
        return x


def codes(loader, model, device):
    found = []
    for x in loader:
        x = x.to(device)
        code = model.encode(x)
        found.append(code.cpu().numpy())
        print(code.max().item())
    return found


def of_one(loader, model, device):
    model = model.to(device)
    for x in loader:
        code = model.encode(x.to(device))
        print(code.tolist(), code.max().item())


def in_rows(loader, device):
    table = Table()
    table = table.to(device)
    for x in loader:
        table.encode(x)


device = torch.device("cuda")
loader = DataLoader(torch.randn(64, 3, 16, 16), batch_size=8)
model = Net()
model = model.to(device)
model.eval()
codes(loader, model, device)
wrapped = Net()
wrapped = wrapped.cuda().eval()
of_one(loader, wrapped, device)
in_rows(loader, device)
