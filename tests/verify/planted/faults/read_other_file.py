# planted: host-read@meter
# A meter in another file of the project.
import torch
import torch_xla
from meters import AverageMeter
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = AverageMeter()


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    x = torch.randn(4, 8).to(device)
    loss = train_step(x)
    torch_xla.sync()
    losses.update(loss, len(x))
