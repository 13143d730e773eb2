# planted: not-training
# says: From its step 7 on, SGD does not train its model
# says: where the model is built again
# The model is built again in the middle of the run, and the optimizer is not.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)


model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # <- here
for step in range(12):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
    if step == 5:
        model = build()
