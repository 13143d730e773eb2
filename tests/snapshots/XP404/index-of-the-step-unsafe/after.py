import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, weights = torch.randn(1000, 16, 8, device=device), torch.rand(1000, device=device)
history, outputs = torch.zeros(1000).to(device), torch.zeros(4, 1000).to(device)
for step in range(1000):
    loss = model(inputs[torch.tensor([step])].squeeze(0)).mean() * weights[torch.tensor([step])].squeeze(0)
    history[torch.tensor([step])] = loss.detach().to(history)
    outputs[:, step] += loss.detach()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
