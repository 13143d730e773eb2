# planted: fallback
# A forward pre-hook that makes a weight orthogonal by the library's QR.
import torch
import torch_xla
from pocket.ops import whiten
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


frozen = torch.randn(8, 8).to(device)


def orthogonal(module, args):
    return (args[0] @ whiten(frozen),)  # <- here


model.register_forward_pre_hook(orthogonal)
for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
