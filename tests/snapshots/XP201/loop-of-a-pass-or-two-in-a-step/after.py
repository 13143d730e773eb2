import torch
import torch_xla
from torch import nn

device = torch.device("cuda")
policy, value = nn.Linear(4, 2).to(device), nn.Linear(4, 1).to(device)
policy_optimizer = torch.optim.Adam(policy.parameters())
value_optimizer = torch.optim.Adam(value.parameters())


def update(passes, states, returns):
    for _ in range(passes):
        value_optimizer.zero_grad()
        (value(states) - returns).pow(2).mean().backward()
        value_optimizer.step()
        torch_xla.sync()
    policy_optimizer.zero_grad()
    policy(states).pow(2).mean().backward()
    policy_optimizer.step()


states, returns = torch.randn(64, 4).to(device), torch.randn(64, 1).to(device)
for i in range(20):
    update(1, states, returns)
    update(2, states, returns)
    torch_xla.sync()
