import itertools

import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader
from tqdm import tqdm

model = nn.Linear(4, 2).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inside = DataLoader(torch.zeros(1000, 4), batch_size=128, shuffle=True)
outside = DataLoader(torch.zeros(9000, 4), batch_size=256)
whole = DataLoader(torch.zeros(9000, 4), batch_size=256, drop_last=True)
for n, (x, y, z) in enumerate(zip(tqdm(inside), outside, whole)):
    data = torch.cat([x, y, z]).to(torch_xla.device())
    optimizer.zero_grad()
    model(data).sum().backward()
    optimizer.step()
    torch_xla.sync()
again = DataLoader(torch.zeros(1000, 4), batch_size=64)
for x, y in zip(whole, itertools.cycle(again)):
    data = torch.cat([x, y]).to(torch_xla.device())
    optimizer.zero_grad()
    model(data).sum().backward()
    optimizer.step()
    torch_xla.sync()
