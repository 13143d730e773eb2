import torch
from torch import nn


def mask_of(lengths):
    longest = torch.max(lengths).item()
    places = torch.arange(0, longest, device=lengths.device)
    return places < lengths.unsqueeze(1)


def cut(x, length):
    return x[:, :length]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x, lengths):
        x = cut(self.layer(x), int(lengths.max()))
        return x.masked_fill(~mask_of(lengths)[..., None], 0.0)


device = torch.device("cuda")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, lengths in torch.utils.data.DataLoader([(torch.zeros(9, 4), 5)] * 64, batch_size=8):
    loss = model(batch.to(device), lengths.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
