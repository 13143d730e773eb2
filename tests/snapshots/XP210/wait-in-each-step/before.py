import time

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(loader):
    for step, x in enumerate(loader):
        start = time.time()
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        xm.wait_device_ops()
        print(time.time() - start)


def train_and_wait_at_times(loader):
    for step, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if step % 100 == 0:
            torch_xla.sync()
            xm.wait_device_ops()
    torch_xla.sync()
    xm.wait_device_ops()
