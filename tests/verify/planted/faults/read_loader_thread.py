# planted: host-read, extra-execution
# A data set that scales its samples on the device: its own line, in the loader's thread.
import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, Dataset
import torch_xla.distributed.parallel_loader as pl


class Scaled(Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, index):
        row = torch.randn(8)
        return row / row.to(device).norm().item()  # <- here


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

for x in pl.MpDeviceLoader(DataLoader(Scaled(), batch_size=4), device):
    train_step(x)
