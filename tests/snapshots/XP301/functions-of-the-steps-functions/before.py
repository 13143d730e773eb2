import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(step, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    watch(loss)
    for name, value in measured(loss).items():
        print(name, value)
    if step % 10 == 0:
        show(loss)
    return [in_a_list(loss) for _ in range(step)]


def watch(loss):
    if loss.item() > 10:
        raise ValueError


def measured(loss):
    return {"loss": loss.item()}


def show(loss):
    print(loss.item())


def in_a_list(loss):
    return loss.item() + 1


for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
    train_step(step, x)
