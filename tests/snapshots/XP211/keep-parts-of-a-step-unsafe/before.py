import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
loader = DataLoader(TensorDataset(torch.randn(192, 8), torch.randint(0, 3, (192,))), batch_size=16)


class Ensemble(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 8)
        self.members = nn.ModuleList(nn.Linear(8, 3) for _ in range(3))

    def forward(self, x):
        return torch.stack([member(self.head(x)) for member in self.members]).mean(0)

    @torch.no_grad()
    def crops(self, views):
        return [self.head(view) for view in views]


model = Ensemble().to(device).eval()


@torch.no_grad()
def evaluate():
    found = []
    for x, y in loader:
        views = [x.to(device), x.flip(1).to(device)]
        found.append(sum(model(view) for view in views))
        torch_xla.sync()
    return found, [model(x) for x, _ in pl.MpDeviceLoader(loader, device)], [x.to(device) for x, _ in loader]


def step_all(optimizers):
    """The parts of one step."""
    for x in DataLoader(torch.zeros(8, 4), batch_size=2):
        losses = [Net()(x.to(device)).sum() for _ in optimizers]
        sum(losses).backward()
        [optimizer.step() for optimizer in optimizers]
