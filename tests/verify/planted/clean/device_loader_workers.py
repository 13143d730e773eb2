# Samples are made in worker processes, which have no device.
import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        value = torch.full((8,), float(index))
        return value / value.norm().clamp(min=1).item()


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


if __name__ == "__main__":
    loader = DataLoader(Squares(), batch_size=4, num_workers=1)
    for x in pl.MpDeviceLoader(loader, device):
        train_step(x)
