import torch
import torch_xla
from logs import logged
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 2).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
training = DataLoader(torch.zeros(10, 4), batch_size=4, shuffle=True)
validation = DataLoader(torch.zeros(10, 4), batch_size=4)
for x in logged(training, 10):
    optimizer.zero_grad()
    model(x.to(torch_xla.device())).sum().backward()
    optimizer.step()
    torch_xla.sync()
with torch.no_grad():
    for x in logged(validation, 10):
        model(x.to(torch_xla.device())).sum()
        torch_xla.sync()
