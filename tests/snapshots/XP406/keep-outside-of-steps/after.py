import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with torch.no_grad():
    weight = model.weight.clone()
    weight[weight < 0] = 0.0
for step in range(1000):
    loss = model(torch.zeros(4, device=device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        shown = model.weight.detach().clone()
        shown[shown < 0] = 0.0
        print(shown.sum())
