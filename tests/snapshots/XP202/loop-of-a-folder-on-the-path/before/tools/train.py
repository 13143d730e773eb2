import _paths
import torch
import torch_xla
from steps import train
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(8, 4).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))
train(DataLoader(data, batch_size=16, drop_last=True), model, optimizer)
