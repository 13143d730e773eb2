import numpy as np
import torch
from torch import nn

data = torch.arange(100000).cuda()
model = nn.Embedding(100000, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
i = 0
while i < 10000:
    n = max(5, int(np.random.normal(70, 5)))
    x = data[i:i + n]
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    i += n
