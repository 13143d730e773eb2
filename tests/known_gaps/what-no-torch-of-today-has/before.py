import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = iter(DataLoader(torch.ones(16, 4), batch_size=4))
total = 0
for _ in range(4):
    loss = model(batches.next().cuda()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.data[0]
print(total, torch.stft(torch.zeros(64).cuda(), 16))
