import torch
from torch import nn
from torch.distributions import Normal

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
prior = Normal(torch.zeros(4, device=device), torch.ones(4, device=device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    model(prior.sample((8,))).sum().backward()
    optimizer.step()
