import torch
from torch import nn

device = torch.device("cuda")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x, step):
        return self.layer(x)[:, step % 1000]


model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.randn(1000, device=device)


def penalty(out, index, scale):
    return scale * out.mean() * table[index]


for step in range(1000):
    out = model(torch.randn(4, 8, device=device), step)
    loss = penalty(out, step + 1, step / 1000)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
