import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import evaluate, train_one_epoch

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, dtype=torch.int64))


def collate(samples):
    return tuple(torch.stack(part) for part in zip(*samples))


train_one_epoch(model, optimizer, DataLoader(data, collate_fn=collate), device)
evaluate(model, DataLoader(data), "cpu")
