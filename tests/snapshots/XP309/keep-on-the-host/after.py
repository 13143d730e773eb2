import torch
from torch import nn
from torch.distributions import Normal

model = nn.Linear(4, 2).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    noise = Normal(torch.zeros(4), torch.ones(4)).sample((8,))
    more = Normal(0.0, 1.0).sample((8, 4))
    model(noise.to("cuda") + more.to("cuda")).sum().backward()
    optimizer.step()
