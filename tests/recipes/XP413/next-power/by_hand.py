import torch
import torch_xla
from torch import nn

device = torch_xla.device()
from torch.utils.data import DataLoader


def collate(rows):
    longest = 1 << (max(len(row) for row in rows) - 1).bit_length()
    return torch.stack([torch.nn.functional.pad(row, (0, longest - len(row))) for row in rows])


rows = [torch.randn(n, 8).sum(1) for n in range(3, 27)]
embed = nn.Linear(1, 4).to(device)
optimizer = torch.optim.SGD(embed.parameters(), lr=0.1)
for x in DataLoader(rows, batch_size=4, collate_fn=collate, drop_last=True):
    x = x.to(device)
    loss = embed(x.unsqueeze(-1)).square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
