import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 1)
model.to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
net = nn.DataParallel(model)
net = net.cuda()
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    optimizer.zero_grad()
    loss = net(x.cuda()).mean()
    loss.backward()
    optimizer.step()
