import torch
from torch import nn


class Batches:
    def __init__(self, data, length, device):
        self.length = length
        self.data = data.to(device)

    def get_batch(self, i):
        end = min(i + self.length, self.data.size(0) - 1)
        return self.data[i:end], self.data[i + 1 : end + 1]

    def __iter__(self):
        for i in range(0, self.data.size(0) - 1, self.length):
            yield self.get_batch(i)


device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in Batches(torch.rand(65, 2, 4), 8, device):
    optimizer.zero_grad()
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    optimizer.step()
