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
        return scores, rows, columns, line, grid, kept


device = torch.device("cuda")
model = Pairs().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, valid in torch.utils.data.DataLoader([(torch.zeros(9, 4), torch.ones(9, 9))] * 64, batch_size=8):
    scores, *places = model(x.to(device), valid.to(device))
    loss = scores.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
