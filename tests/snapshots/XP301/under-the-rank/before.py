import processes  # not in the project
import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0
for i, x in enumerate(DataLoader(torch.zeros(12, 4), batch_size=4, drop_last=True)):
    out = model(x.to(device))
    loss = out.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if processes.is_primary():
        total = total + 1
        processes.show(f"loss {loss.item():.3f} of {total}", out.abs().max().item())
    if processes.is_due():
        processes.show(loss.item())
