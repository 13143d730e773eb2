# planted: recompile@differs seen@barrier
# One more layer is trained with each step.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Sequential(*[nn.Linear(8, 8) for _ in range(10)]).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()  # <- differs
    return loss


for step in range(10):
    for depth, layer in enumerate(reversed(model)):
        layer.requires_grad_(depth <= step)
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()  # <- barrier
