# torch.compile traces a model for training, and once more for evaluation: a guard fails, and that is all.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.Linear(16, 2)).to(device)
compiled = torch.compile(model, backend="openxla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for step in range(5):
        optimizer.zero_grad()
        compiled(torch.randn(4, 8).to(device)).pow(2).mean().backward()
        optimizer.step()
        torch_xla.sync()
    model.eval()
    with torch.no_grad():
        for step in range(4):
            compiled(torch.randn(4, 8).to(device))
            torch_xla.sync()
