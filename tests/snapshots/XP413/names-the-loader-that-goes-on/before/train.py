import torch
from torch import nn
from torch.utils.data import DataLoader

from data import Collate

collate = Collate()
loader = DataLoader([torch.zeros(n) for n in range(1, 65)], batch_size=8, collate_fn=collate)
model = nn.Linear(1, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in loader:
    loss = model(x[:, :, None].cuda()).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
