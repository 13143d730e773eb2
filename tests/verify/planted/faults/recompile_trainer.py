# planted: recompile@cause seen@fit
# The loop and its barrier are a library's: the line is the call of fit().
import torch
import torch_xla
from pocket.training import Trainer
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def batches():
    for size in range(2, 13):
        yield torch.randn(size, 8).to(device)  # <- cause


Trainer(model, optimizer).fit(batches())  # <- fit
