import torch
from torch import nn


class Average(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.register_buffer("params", torch.tensor([count, -1.0]))

    def forward(self, x):
        count = int(self.params[0].item())
        scale = self.params[1].item()
        if scale < 0:
            self.params[1] = x.mean() * 100
        return x.view(x.size(0), count + 1, 4)


model = Average(3).cuda()
linear = nn.Linear(16, 16).cuda()
optimizer = torch.optim.SGD(linear.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(8, 16), batch_size=4):
    loss = model(linear(x.cuda())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
