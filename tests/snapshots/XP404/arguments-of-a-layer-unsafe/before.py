import torch
from torch import nn


class Criterion(nn.Module):
    def forward(self, scores, shown, noted: torch.Tensor, either, step):
        first = shown[step] * shown.size(1)
        second = noted[step]
        part = (scores - 1) @ scores
        third = part[step]
        return (first + second + third).sum() + either[step].sum()


model = nn.Linear(4, 4).to("cuda")
criterion = Criterion().to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (x, y, z, more) in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 4, 4))):
    out = model(x.to("cuda"))
    loss = criterion(out, y, z, more, step)
    loss.backward()
    optimizer.step()
