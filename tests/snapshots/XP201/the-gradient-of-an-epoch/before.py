import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 1).to("cuda")
optimizer = torch.optim.LBFGS(model.parameters())
loader = DataLoader(torch.zeros(64, 4), batch_size=4)
for epoch in range(10):
    optimizer.zero_grad()
    for x in loader:
        loss = model(x.to("cuda")).mean() / len(loader)
        loss.backward()
    optimizer.step()
