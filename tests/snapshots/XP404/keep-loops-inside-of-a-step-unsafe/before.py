import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(4, 20, 8, device=device)
for step in range(1000):
    state = torch.zeros(4, 8, device=device)
    taken = 0
    for t in range(20):
        state = torch.tanh(state + x[:, t])
        state = state + x[:, t : t + 1].mean(1) + torch.zeros(t, device=device).sum()
        taken += 1
    for k, part in enumerate(x.chunk(4)):
        state = state + part.mean() * x[0, k]
    state = state + sum(x[0, j] for j in range(taken))
    loss = model(state).mean() + x[:, taken - 1].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
