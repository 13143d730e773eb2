import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def is_bad(value):
    value.clamp_(max=10)
    return True


for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
    shown = loss.item()
    if step % 100 == 0 and is_bad(loss):
        print(shown)
