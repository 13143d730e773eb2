"""What is divided at the places of a mask alone is divided everywhere then: 0 has to be kept out first."""

import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.rand(64, 4), batch_size=8):
    out = model(x.cuda())
    product, total = out * 2, out.relu()
    known = total > 0
    precision = torch.zeros_like(product)
    precision[known] = product[known] / total[known]
    loss = precision.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
