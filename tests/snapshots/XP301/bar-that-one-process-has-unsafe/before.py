import os

import torch
from torch import nn
from tqdm import tqdm

rank = int(os.environ.get("RANK", -1))
device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8)


def train_step(x):
    loss = model(x.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


bar = enumerate(loader)
if rank in (-1, 0):
    bar = tqdm(bar, total=len(loader))
for i, x in bar:
    loss = train_step(x)
    if rank in (-1, 0):
        bar.set_description(f"loss {loss.item():.3f}")

# One of the two begins elsewhere.
bar = enumerate(loader)
if rank == 0:
    bar = tqdm(enumerate(loader, 50))
for i, x in bar:
    loss = train_step(x)
    if rank == 0:
        bar.set_description(f"loss {loss.item():.3f}")
