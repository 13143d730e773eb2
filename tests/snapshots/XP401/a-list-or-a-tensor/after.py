import torch
from torch import nn


class Criterion(nn.Module):
    def forward(self, scores, either, step):
        return (scores - either[step]).sum()


model = nn.Linear(4, 4).to("cuda")
criterion = Criterion().to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (x, more) in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 4, 4))):
    loss = criterion(model(x.to("cuda")), more, step)
    loss.backward()
    optimizer.step()
