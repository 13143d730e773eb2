import torch
from torch import nn

from measures import Spread

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
measures = {"spread": Spread()}
for x in torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8):
    out = model(x.to(device))
    loss = out.square().mean() + measures["spread"].of(out).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
