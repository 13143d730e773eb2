import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Conv2d(3, 4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
found = []
for x in DataLoader(torch.rand(8, 3, 4, 4), batch_size=4, drop_last=True):
    score = model(x.to(device))
    loss = score.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    batch_labels = score.data.max(1)[1]
    torch_xla.sync()
    labels = batch_labels.cpu().numpy()[:, :, :]
    found.append(labels.mean())
