import torch
from net.model import Model

model = Model().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    loss = model(torch.randn(8, 4).cuda()).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
