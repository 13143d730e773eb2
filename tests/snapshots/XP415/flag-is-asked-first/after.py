import torch
from torch import nn

DEBUG = False
QUIET = True
device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = model(torch.randn(8, 4, device=device)).mean()
    if DEBUG and (torch.isnan(loss).any() or torch.isinf(loss).any()):
        print("[numerical error]")
    if DEBUG and not QUIET and loss > 3:
        print("large")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
