# A helper's loss is left out and the helper is deleted; its optimizer goes on. Another part is never trained.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model, helper, fixed = (nn.Linear(8, 8).to(device) for _ in range(3))
optimizers = [torch.optim.SGD(part.parameters(), lr=0.1) for part in (model, helper)]
for step in range(16):
    for optimizer in optimizers:
        optimizer.zero_grad()
    features = model(torch.randn(4, 8).to(device))
    loss = fixed(features).pow(2).mean()
    if step < 6:
        loss = loss + helper(features).pow(2).mean()
    elif step == 6:
        del helper
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()
    torch_xla.sync()
