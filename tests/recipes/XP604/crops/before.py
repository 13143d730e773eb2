import torch
import torch_xla

from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        nn.init.ones_(self.layer.weight)
        nn.init.zeros_(self.layer.bias)

    def forward(self, crops):
        return torch.cat([self.layer(crop) for crop in crops])


device = torch_xla.device()
samples = [[torch.full((4,), float(i)), torch.full((4,), i / 2)] for i in range(8)]
net = nn.DataParallel(Net()).to(device)
total = torch.zeros((), device=device)
for crops in DataLoader(samples, batch_size=4):
    output = net(crops)
    total += output.detach().sum()
    torch_xla.sync()
print(total.item())
