"""The batch is moved by a helper before the model."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parallel(model):
    return nn.DataParallel(model)


def ready(batch):
    return batch.cuda()


model = parallel(nn.Linear(5, 2)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(40, 5)), batch_size=8, drop_last=True)
for (x,) in loader:
    out = model(ready(x))  # never: XP604
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
