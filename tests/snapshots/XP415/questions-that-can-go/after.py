import torch
from torch import nn


class Assign(nn.Module):
    def forward(self, cost, chosen):
        times = chosen.sum(0)
        if times.max() > 1:
            several = times > 1
            best = torch.argmin(cost[:, several], dim=0)
            chosen[:, several] *= 0
            chosen[best, several] = 1
        if (times > 2).sum() > 0:
            chosen[:, times > 2] = 0
        return chosen

    def kept(self, cost, chosen):
        times = chosen.sum(0)
        far = cost > 3
        if far.sum() > 0:
            worst = cost[far].max()
            cost[far] = worst
        if far.any():
            cost = cost * 2
        if far.sum() > 4:
            cost[far] = 4
        seen = times > 1
        if torch.sum(seen) < 1:
            return cost
        return cost[:, seen]


model = nn.Linear(4, 4).to("cuda")
assign = Assign().to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(8, 4, 4)):
    out = model(x.to("cuda"))
    loss = (out * assign(out, (out > 0).long()) + assign.kept(out, (out > 0).long())).sum()
    loss.backward()
    optimizer.step()
