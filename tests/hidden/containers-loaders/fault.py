"""One of two loaders in a dict keeps its smaller last batch: the training one."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

train, valid = torch.randn(2, 42, 5)
keep = {"train": True, "valid": False}
loaders = {}
for name, rows in (("train", train), ("valid", valid)):
    loaders[name] = DataLoader(TensorDataset(rows), batch_size=8, drop_last=not keep[name])  # wants: XP420

model = nn.Linear(5, 5).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for (x,) in loaders["train"]:
    loss = model(x.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("rows", sum(x.size(0) for (x,) in loaders["valid"]))
