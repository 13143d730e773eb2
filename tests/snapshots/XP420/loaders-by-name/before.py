import torch
from torch import nn
from torch.utils.data import DataLoader

sets = {"train": torch.zeros(10, 4), "test": torch.zeros(10, 4)}
loaders = {name: DataLoader(data, batch_size=4, drop_last=name == "test") for name, data in sets.items()}
others = {}
for part in ("train", "test"):
    if part == "train":
        others[part] = DataLoader(sets[part], batch_size=3, drop_last=True)
    else:
        others[part] = DataLoader(sets[part], batch_size=5)
model = nn.Linear(4, 2).to("xla")
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in loaders["train"]:
    opt.zero_grad()
    model(x.to("xla")).sum().backward()
    opt.step()
for x in others["train"]:
    opt.zero_grad()
    model(x.to("xla")).sum().backward()
    opt.step()
with torch.no_grad():
    for x in others["test"]:
        print(model(x.to("xla")).sum())
