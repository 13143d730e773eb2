import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(1000, 8, device=device)
for step in range(1000):
    order = torch.randperm(1000)
    some = order[:32]
    x = inputs[some] + inputs[torch.randint(0, 1000, (32,))]
    noise = torch.rand(32, 8).to(device)
    loss = model(x**noise).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
