import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset, random_split


def loaders(n):
    data = TensorDataset(torch.zeros(n, 4), torch.zeros(n))
    first, second = random_split(data, [n - 2, 2])
    return DataLoader(first, batch_size=4), DataLoader(second, batch_size=4)


device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader, test_loader = loaders(8)
for x, y in pl.MpDeviceLoader(train_loader, device):
    (model(x) - y).mean().backward()
    optimizer.step()
