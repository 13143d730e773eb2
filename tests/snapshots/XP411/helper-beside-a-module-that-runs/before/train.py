import torch
from nets.body import Body
from nets.head import Head
from torch import nn

model = nn.Sequential(Body(), Head()).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    loss = model(torch.randn(8, 4, device="xla")).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
