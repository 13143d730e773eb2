import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(1000, 8, device=device)
step, place = 0, 0
while step < 1000:
    offset = place * 2
    loss = model(inputs[offset]).mean() + inputs[step].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    place = (place + 3) % 500
