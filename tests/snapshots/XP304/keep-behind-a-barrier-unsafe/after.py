import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

step_values = []
for x in loader:
    out = model(x.to(device))
    loss = out.mean()
    loss.backward()
    D_x = out.mean()
    D_z = (out > 0).sum()
    optimizer.step()
    torch_xla.sync()
    D_x = D_x.item()
    D_z = D_z.item()
    print(D_x, D_z)
