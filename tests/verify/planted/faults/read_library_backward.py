# planted: host-read, extra-execution
# An autograd function of a library reads its gradient: no line of the script is in that thread.
import torch
import torch_xla
from pocket.ops import Watched
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(9):
    optimizer.zero_grad()
    loss = Watched.apply(model(torch.randn(4, 8).to(device))).pow(2).mean()
    loss.backward()  # <- here
    optimizer.step()
    torch_xla.sync()
