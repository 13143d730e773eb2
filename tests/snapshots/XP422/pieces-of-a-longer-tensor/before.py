import torch
from torch import nn


class Stretch(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def stretched(self, rows, lengths):
        pieces = []
        for i, row in enumerate(rows):
            count = lengths[i].item()
            pieces.append(row.expand(max(int(count), 0), -1))
        return torch.cat(pieces, 0)

    def beside(self, rows, lengths):
        return torch.cat([row.unsqueeze(1).expand(-1, length.item()) for row, length in zip(rows, lengths)], dim=-1)

    def several(self, rows, lengths):
        pieces = []
        for row, length in zip(rows, lengths):
            pieces.append(row.repeat(int(length), 1))
        return torch.cat(pieces)

    def alone(self, row, lengths):
        kept = []
        kept.append(row.expand(int(lengths.max()), -1))
        return kept

    def forward(self, rows, lengths):
        rows = self.layer(rows)
        out = self.stretched(rows, lengths).sum() + self.beside(rows, lengths).sum()
        return out + self.several(rows, lengths).sum() + self.alone(rows[0], lengths)[0].sum()


device = torch.device("cuda")
model = Stretch().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for rows, lengths in torch.utils.data.DataLoader([(torch.zeros(4), 5)] * 64, batch_size=8):
    loss = model(rows.to(device), lengths.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
