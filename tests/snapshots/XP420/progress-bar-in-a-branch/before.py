import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader
from tqdm import tqdm


def train(loader, model, optimizer, shows):
    for _ in range(2):
        if shows:
            loader = tqdm(loader)
        for x in loader:
            optimizer.zero_grad()
            model(x.to(torch_xla.device())).sum().backward()
            optimizer.step()
            torch_xla.sync()


model = nn.Linear(4, 2).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train(DataLoader(torch.zeros(10, 4), batch_size=4), model, optimizer, True)
