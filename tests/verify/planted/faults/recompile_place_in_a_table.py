# planted: recompile@cause seen@barrier
# A Python number as a place to write to.
# says: step, a Python number at recompile_place_in_a_table.py
# says: Slice and index with tensors on the TPU
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history = torch.zeros(40, device=device)
for step in range(12):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
    loss.backward()
    optimizer.step()
    history[step] = loss.detach()  # <- cause
    torch_xla.sync()  # <- barrier
