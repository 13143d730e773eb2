from typing import Optional

import torch
from torch import nn


def mask_of(lengths: torch.Tensor, longest: Optional[int] = None):
    longest = lengths.max().item() if longest is None else longest
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)


def rows_of(lengths: torch.Tensor, longest: Optional[int] = None):
    if not longest:
        longest = int(lengths.max())
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x, lengths):
        x = self.layer(x)
        given = mask_of(lengths, x.shape[1])
        counted = mask_of(torch.IntTensor([len(row) for row in x])).to(x.device)
        x = x.masked_fill(~(given & counted)[..., None], 0.0)
        return x * rows_of(lengths)[..., None] * rows_of(torch.IntTensor([9]), 9).to(x.device)[..., None]


device = torch.device("cuda")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, lengths in torch.utils.data.DataLoader([(torch.zeros(9, 4), 5)] * 64, batch_size=8):
    loss = model(batch.to(device), lengths.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
