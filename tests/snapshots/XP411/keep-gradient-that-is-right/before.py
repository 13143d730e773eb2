import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Sequential(nn.Linear(8, 8), nn.ELU(inplace=True), nn.Linear(8, 8), nn.SELU(True)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(64, 8), batch_size=8):
    out = model(x.to(device))
    loss = F.elu(out, inplace=True).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    with torch.no_grad():
        print(F.selu(model(x.to(device))).mean())
