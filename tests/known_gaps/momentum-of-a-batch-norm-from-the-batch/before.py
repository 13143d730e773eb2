import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)).cuda()
loader = DataLoader(TensorDataset(torch.randn(64, 3)), batch_size=8, drop_last=True)
seen = 0
model.train()
with torch.no_grad():
    for (x,) in loader:
        x = x.cuda()
        for layer in model.modules():
            if isinstance(layer, nn.BatchNorm1d):
                layer.momentum = len(x) / (seen + len(x))
        model(x)
        seen += len(x)
