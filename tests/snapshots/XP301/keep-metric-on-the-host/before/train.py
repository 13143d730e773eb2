import torch
from metrics import *
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
acc = 0.0
for x, y in torch.utils.data.DataLoader([(torch.zeros(4), torch.zeros(4))] * 64, batch_size=8):
    x = x.to(device)
    y = y.to(device)
    output = model(x)
    loss = (output - y).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if acc < 100 and len(x) % 3 == 0:
        acc += accuracy(output.cpu(), y.cpu())
print(acc)
