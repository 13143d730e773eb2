import torch
import torch_xla
from torch import nn

device = torch_xla.device()
net = nn.Linear(4, 2).to(device)
target = nn.Linear(4, 2).to(device)
torch_xla.sync()
target.load_state_dict(net.state_dict())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    (net(torch.ones(1, 4, device=device)) - target(torch.ones(1, 4, device=device))).sum().backward()
    optimizer.step()
    torch_xla.sync()
target.load_state_dict(net.state_dict())
