# planted: unrolled@backward seen@barrier note
# says: holds 4 forward and backward passes
# Four micro-batches are one graph: right, but four times as dear to compile.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(9):
    optimizer.zero_grad()
    for _ in range(4):
        loss = model(torch.randn(4, 8).to(device)).pow(2).mean() / 4
        loss.backward()  # <- backward
    optimizer.step()
    torch_xla.sync()  # <- barrier
