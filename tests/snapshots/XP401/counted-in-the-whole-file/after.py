import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(1000, 8, device=device)
count = 0


def train_step(x):
    global count
    loss = model(x[count]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    count += 1


for _ in range(1000):
    train_step(inputs)
