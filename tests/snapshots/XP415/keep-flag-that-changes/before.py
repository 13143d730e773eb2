import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
warned = False
for step in range(100):
    loss = model(torch.randn(8, 4, device=device)).mean()
    if torch.isnan(loss) and not warned:
        warned = True
        raise ValueError("no number")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
