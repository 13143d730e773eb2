# Replicas meet at the end of each epoch, outside of the step: one exchange of numbers, though made of several barriers.
import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(6):
    for step in range(5):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    mean = xm.mesh_reduce("loss", loss.item(), lambda losses: sum(losses) / len(losses))
    xm.master_print(f"epoch {epoch}: {mean:.3f}")
