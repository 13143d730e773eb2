# planted: samples-lost
"""A record that is broken in the middle of the data, met by the collate function, ends each epoch early."""
import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Records(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {"x": torch.randn(8), "y": None if index == 60 else torch.zeros(1)}


def collate(records):
    x = torch.stack([record["x"] for record in records])
    y = torch.stack([record["y"] for record in records])  # <- here
    return x, y


device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = pl.MpDeviceLoader(DataLoader(Records(), batch_size=4, collate_fn=collate), device)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
