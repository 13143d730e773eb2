# planted: not-training
# says: From its step 6 on, SGD does not train its model
# says: {k: v.cpu() for k, v in model.state_dict().items()}
# The save moves the model to the CPU and back; the gradients are cleared in the model, and those of the optimizer stay.
import io

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def save():
    torch.save(model.cpu().state_dict(), io.BytesIO())  # <- here
    model.to(device)


for step in range(12):
    model.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
    if step == 4:
        save()
