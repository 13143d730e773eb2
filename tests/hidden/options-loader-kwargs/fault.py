"""The loader's options are a dict, updated later, that keeps the last batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loading = {"batch_size": 16, "shuffle": True, "drop_last": True}
loading.update(drop_last=False, num_workers=0)


def make(data, **options):
    return DataLoader(data, **options)  # wants: XP420


data = TensorDataset(torch.randn(70, 8), torch.randint(3, (70,)))
loader = make(data, **loading)
model = nn.Linear(8, 3).cuda()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
