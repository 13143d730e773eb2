# planted: recompile@cause seen@barrier
# All losses in one tensor that grows.
# says: seen: f32[3] became f32[4]
# says: longer every time
# says: collect the values in a list on the host
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = torch.zeros(1, device=device)
for step in range(12):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
    loss.backward()
    optimizer.step()
    seen = torch.cat([seen, loss.detach()[None]])  # <- cause
    torch_xla.sync()  # <- barrier
