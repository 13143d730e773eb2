import torch
import torch_xla
from torch import nn

from data import make_loaders
from engine import evaluate, train_one_epoch

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader, test_loader = make_loaders(8)
for epoch in range(3):
    train_one_epoch(model, optimizer, train_loader, device)
    evaluate(model, test_loader, device)
