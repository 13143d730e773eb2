import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, norm_layer):
        super().__init__()
        self.linear, self.norm = nn.Linear(4, 4), norm_layer(4)

    def forward(self, x):
        return self.norm(self.linear(x))


class Routed(nn.Module):
    def __init__(self, norm_layer):
        super().__init__()
        self.block = Block(norm_layer)
        self.linear = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        valid = x[:, 0] > 0
        first = self.block(x[valid])
        large = x[:, 1] > 0
        second = self.norm(x[large]) * 2
        small = x[:, 2] < 0
        third = self.linear(x[small])
        return torch.cat([first, second, third])


device = torch.device("cuda")
model = Routed(nn.LayerNorm).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    loss = model(x.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
