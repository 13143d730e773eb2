import torch
from torch import nn
from torch.utils.data import DataLoader


def feed(rows, training):
    return DataLoader(rows, batch_size=8, shuffle=training, drop_last=not training)


def of_part(rows, part):
    if part == "train":
        return DataLoader(rows, batch_size=7, shuffle=True, drop_last=True)
    return DataLoader(rows, batch_size=6)


def of_parts(rows):
    return {part: of_part(rows, part) for part in ("train", "test")}


model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
training, validation = feed(torch.zeros(50, 4), True), feed(torch.zeros(50, 4), False)
for x in training:
    optimizer.zero_grad()
    model(x.to("xla")).sum().backward()
    optimizer.step()
parts = of_parts(torch.zeros(50, 4))
for x in parts["train"]:
    optimizer.zero_grad()
    model(x.to("xla")).sum().backward()
    optimizer.step()
with torch.no_grad():
    for x in validation:
        print(model(x.to("xla")).sum())
    for x in parts["test"]:
        print(model(x.to("xla")).sum())
