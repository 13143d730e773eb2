import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, dtype=torch.long))
model = nn.DataParallel(nn.Linear(4, 2)).to(device)
for x, y in DataLoader(data, batch_size=8):
    x, y = x.to(device), y.to(device)
    print((model(x).argmax(1) == y).sum())
for x, y in DataLoader(data, batch_size=8):
    if torch.cuda.is_available():
        x = x.cuda()
    print(model(x).sum())
for x, y in zip(range(3), range(3)):
    print(model(x).sum())
