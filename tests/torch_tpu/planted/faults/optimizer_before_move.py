# planted: not-training
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # <- here
model.to(device)
for step in range(8):
    loss = model(torch.randn(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
