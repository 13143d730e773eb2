import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __getitem__(self, index):
        return torch.load(f"{index}.pt")


device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(Files(), batch_size=4, num_workers=2)
for x, y in pl.MpDeviceLoader(loader, device):
    (model(x) - y).mean().backward()
    optimizer.step()
