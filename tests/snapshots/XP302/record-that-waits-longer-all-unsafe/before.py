import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(2, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    loss = model(x).mean()
    log = {"loss": loss.item()}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return log


for step, x in enumerate(DataLoader(torch.rand(800, 2), batch_size=4)):
    log = train_step(x.to(device))
    torch_xla.sync()
    if step % 100 == 0:
        print(log["loss"])
