import torch
from torch import nn
from torch.utils.data import DataLoader


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 4)

    def forward(self, x):
        lengths = (x.abs().sum(-1) > 0).sum(1)
        h = x.new_zeros(x.size(0), 4)
        for t in range(int(lengths.max())):
            h = self.cell(x[:, t], h)
        for _ in range(lengths.max().item()):
            h = h * 0.5
        return h


device = torch.device("cuda")
model = Reader().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(8, 6, 4)):
    model(x.to(device)).sum().backward()
    optimizer.step()
