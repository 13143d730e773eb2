import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    a = model(torch.randn(3, 4, device=device)).mean()
    b = a * 2
    b.backward()
    optimizer.step()
    print(
        a.item(),
        b.item(),
    )
