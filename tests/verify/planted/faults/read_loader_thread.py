# planted: host-read
# A data set that takes its samples from the device: its own line, in the loader's thread.
import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Stored(Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, index):
        row = torch.randn(8).to(device)
        return torch.tensor(row.tolist())  # <- here


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


for x in pl.MpDeviceLoader(DataLoader(Stored(), batch_size=4), device):
    train_step(x)
