import torch
from torch import nn


class Join(nn.Module):
    def forward(self, first, second, memory):
        return torch.cat((first, second), dim=1) + memory.mean(1, keepdim=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.join = Join()

    def forward(self, x, lengths):
        longest = lengths.max()
        states = self.layer(x[:, :longest])
        last = states[:, -1]
        for row in range(8):
            own = states[row : row + 1, : row + 2]
            last = last + own[:, -1]  # which is no longer the last of the batch
        behind = states[:, 1:]
        ends = states[:, -3:]
        halves = self.join(states[:, :4], states[:, 4:], memory=x)[:, -1]
        beside = self.join(x[:, :1], x[:, 1:], memory=states)[:, -1]
        return last + halves + beside + behind[:, -1] + ends[:, -1]


device = torch.device("cuda")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, lengths in torch.utils.data.DataLoader([(torch.zeros(9, 4), 5)] * 64, batch_size=8):
    loss = model(batch.to(device), lengths.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
