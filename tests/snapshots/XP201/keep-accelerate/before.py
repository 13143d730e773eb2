import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader

accelerator = Accelerator()
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
test_loader = accelerator.prepare(DataLoader(torch.zeros(8, 4)))
for epoch in range(2):
    for step, x in enumerate(loader):
        loss = model(x).mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    with torch.no_grad():
        outputs = [model(x) for x in test_loader]


def train(accelerator: Accelerator, model: nn.Module, optimizer: torch.optim.Optimizer, data):
    loader = accelerator.prepare_data_loader(DataLoader(data))
    for x in loader:
        accelerator.backward(model(x).mean())
        optimizer.step()


def from_elsewhere(get_loaders):
    accelerator = Accelerator()
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader, test_loader = get_loaders(accelerator)
    model, optimizer, loader, test_loader = accelerator.prepare(model, optimizer, loader, test_loader)
    for x in loader:
        accelerator.backward(model(x).mean())
        optimizer.step()
    for x in test_loader:
        with torch.no_grad():
            model(x.to(accelerator.device))
