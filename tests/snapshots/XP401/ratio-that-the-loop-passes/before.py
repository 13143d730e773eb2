import random

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.device = device

    def forward(self, target, ratio):
        outputs = []
        x = target[0]
        for t in range(1, 8):
            x = self.layer(x)
            outputs.append(x)
            forced = random.random() < ratio
            x = target[t] if forced else x
        return torch.stack(outputs)


def train(model, batches, optimizer, ratio, device):
    for batch in batches:
        batch = batch.to(device)
        optimizer.zero_grad()
        model(batch, ratio).pow(2).mean().backward()
        optimizer.step()


def evaluate(model, batches, device):
    with torch.no_grad():
        return [model(batch.to(device), 0).mean().item() for batch in batches]


device = torch.device("cuda")
net = Decoder(device).to(device)
data = torch.utils.data.DataLoader(torch.rand(16, 8, 4), batch_size=2, drop_last=True, collate_fn=torch.stack)
ratio = 0.5
train(net, data, torch.optim.SGD(net.parameters(), lr=0.1), ratio, device)
print(evaluate(net, data, device))
