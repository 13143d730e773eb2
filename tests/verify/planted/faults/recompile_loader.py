# planted: recompile@used seen@loader
# MpDeviceLoader is the barrier: the graph is compiled where the loop asks for the next batch.
import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()  # <- used
    loss.backward()
    optimizer.step()
    return loss


batches = [torch.randn(size, 8) for size in range(2, 14)]
for x in pl.MpDeviceLoader(batches, device):  # <- loader
    train_step(x)
