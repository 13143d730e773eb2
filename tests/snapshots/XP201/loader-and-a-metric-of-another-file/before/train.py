import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from metrics import accuracy
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader([(torch.zeros(4), torch.zeros(4))] * 64, batch_size=8)
acc = 0.0
for x, y in pl.MpDeviceLoader(loader, device):
    output = model(x)
    loss = (output - y).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    acc += accuracy(output, y)
print(acc)
