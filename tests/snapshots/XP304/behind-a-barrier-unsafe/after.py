import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

for x in loader:
    out = model(x.to(device))
    loss = out.mean()
    loss.backward()
    D_x = out.mean()
    D_z = out.pow(2).mean()
    optimizer.step()
    step_values = torch.stack([D_x, D_z])
    torch_xla.sync()
    D_x, D_z = step_values.tolist()
    print(D_x, D_z)
