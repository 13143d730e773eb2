"""The name is bound to a wrapper, whose move moves the wrapped model."""
import torch
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 36, 5))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)  # wants: XP203
net = nn.DataParallel(model)
net = net.cuda()
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    for i in range(6):
        x = torch.randn(4, 3, 8, 8).cuda()
        y = torch.randint(5, (4,)).cuda()
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
