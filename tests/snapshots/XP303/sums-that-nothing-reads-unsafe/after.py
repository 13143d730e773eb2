import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=4)


def train():
    for epoch in range(3):
        for x in loader:
            loss = model(x.to(device)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def with_more_to_do():
    total = torch.tensor([0.0], device=device)
    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += model(x.to(device)).mean().detach()


def read_in_a_function():
    total = 0

    def show():
        print(total)

    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    show()


def read_behind():
    total = torch.tensor([0.0], device=device)
    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total.item()


train()
with_more_to_do()
read_in_a_function()
print(read_behind())
