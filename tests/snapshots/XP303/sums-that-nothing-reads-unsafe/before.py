import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=4)


def train():
    losses = []
    for epoch in range(3):
        epoch_loss = 0
        for x in loader:
            loss = model(x.to(device)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item() * x.size(0)
            losses.append(loss.item())


def with_more_to_do():
    total = 0
    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += model(x.to(device)).mean().item()


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
    total = 0
    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


train()
with_more_to_do()
read_in_a_function()
print(read_behind())
