import torch
import torch_xla
from models import Net

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    loss = model(torch.randn(3, 4)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
