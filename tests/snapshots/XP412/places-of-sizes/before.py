import torch
from torch import nn


class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Bilinear(4, 4, 1)

    def forward(self, x, valid):
        rows, columns = torch.where(torch.ones_like(valid[0]))
        upper = torch.triu(torch.ones(9, 9, device=x.device), 1).nonzero()
        line = torch.nonzero(x.new_ones(x.size(1)))
        grid = torch.argwhere(torch.ones(3, x.size(1), device=x.device))
        kept = torch.where(valid[0])
        scores = self.score(x[:, upper[:, 0]], x[:, upper[:, 1]])
        ends = self.listed((torch.arange(x.size(1), device=x.device)[None] + 1).repeat(len(x), 1) % 4 == 0)
        return scores, rows, columns, line, grid, kept, ends, self.listed_so(valid), self.listed_so(x == x)

    @staticmethod
    def listed(mask):
        counts = mask.long().sum(dim=1)
        places = torch.arange(counts.max(), device=mask.device) < counts.unsqueeze(-1)
        return places.nonzero(as_tuple=True)

    @staticmethod
    def listed_so(mask):
        counts = mask.long().sum(dim=1)
        places = torch.arange(counts.max(), device=mask.device) < counts.unsqueeze(-1)
        return places.nonzero(as_tuple=True)


device = torch.device("cuda")
model = Pairs().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, valid in torch.utils.data.DataLoader([(torch.zeros(9, 4), torch.ones(9, 9))] * 64, batch_size=8):
    scores, *places = model(x.to(device), valid.to(device))
    loss = scores.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
