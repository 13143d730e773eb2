import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
data = TensorDataset(torch.randn(192, 8), torch.randint(0, 3, (192,)))
loader = DataLoader(data, batch_size=16)
model = nn.Linear(8, 3).to(device).eval()
criterion = nn.CrossEntropyLoss()


@torch.no_grad()
def evaluate(dataset):
    correct = int(sum((model(x).argmax(1) == y).sum() for x, y in pl.MpDeviceLoader(loader, device)))
    loss = float(sum(criterion(model(x), y) for x, y in pl.MpDeviceLoader(loader, device))) / len(loader)
    outputs = torch.cat([model(x) for x, _ in pl.MpDeviceLoader(loader, device)])
    unknown = [model(x) for x, _ in pl.MpDeviceLoader(DataLoader(dataset), device)]
    return correct, loss, outputs, unknown
