# The last batch of each epoch is smaller: one more graph, once.
import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


loader = DataLoader(torch.randn(30, 8), batch_size=4)
for epoch in range(2):
    for x in loader:
        train_step(x.to(device))
        torch_xla.sync()
