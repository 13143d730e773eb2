import torch
from torch import nn


class Criterion(nn.Module):
    """How many of the rows are crowds stands in a list of the host's numbers; marks are a tensor, which has sums."""

    def forward(self, scores, crowds, marks):
        total = marks.sum() * 0
        for i in range(scores.size(0)):
            row, count = scores[i], crowds[i]
            several = crowds[i]
            if count > 0:
                row = row[:-1]
            if several:
                row = row * 2
            mark = marks[i]
            if mark:
                row = row * 3
            total = total + row.sum()
        return total


criterion = Criterion().to("cuda")
model = nn.Linear(4, 4).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, crowds, marks in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = criterion(model(batch.to("cuda")), crowds, marks.to("cuda"))
    loss.backward()
    optimizer.step()
