import torch
from losses import loss_of
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(8, 1).cuda()
optimizer = torch.optim.Adam(model.parameters())
data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
losses = []
for x, y in DataLoader(data, batch_size=16):
    optimizer.zero_grad()
    loss = loss_of(model(x.cuda()), y.cuda())
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
