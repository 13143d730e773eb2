"""A static method has no self: what it gets and fetches is on the host, where histc() runs."""

import torch
from torch import nn
from torch.utils.data import DataLoader


class Present(nn.Module):
    def forward(self, *inputs):
        prediction, target = tuple(inputs)
        return ((prediction - self.present(target, prediction.size(1)).to(prediction)) ** 2).mean()

    @staticmethod
    def present(target, n):
        rows = torch.zeros(target.size(0), n)
        for i in range(target.size(0)):
            rows[i] = torch.histc(target[i].cpu().data.float(), bins=n, min=0, max=n - 1) > 0
        return rows


model, criterion = nn.Linear(4, 2).cuda(), Present()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, target in DataLoader([(torch.zeros(4), torch.zeros(3))] * 64, batch_size=8):
    loss = criterion(model(x.cuda()), target.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
