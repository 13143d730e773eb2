# planted: host-read
# A writer of a library reads in its own thread, where no line of the script is: the one that made the thread is.
import torch
import torch_xla
from pocket.writer import AsyncWriter
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
writer = AsyncWriter()  # <- here


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    writer.add_scalar(loss)
    writer.flush()
