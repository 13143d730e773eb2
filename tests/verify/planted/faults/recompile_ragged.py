# planted: recompile@cause seen@barrier
# A collate function that pads to the longest of each batch: a new shape, and a new graph, nearly each time.
import random

import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

random.seed(0)
rows = [torch.randn(4 + index, 8) for index in range(36)]


def collate(batch):
    return nn.utils.rnn.pad_sequence(batch, batch_first=True)


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for x in DataLoader(rows, batch_size=3, collate_fn=collate):
    train_step(x.to(device))  # <- cause
    torch_xla.sync()  # <- barrier
