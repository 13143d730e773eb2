# planted: recompile@function, guard-failed@function, recompile@cause seen@barrier
# A number that changes: torch.compile guards it, traces anew each time, and gives up after eight times.
import torch
import torch_xla
from torch import nn


class Focal(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = 1.0
        self.layer = nn.Linear(8, 2)

    def forward(self, x):  # <- function
        p = self.layer(x).sigmoid()
        return ((1 - p) ** self.gamma * p.log()).mean()  # <- cause


device = torch_xla.device()
torch.manual_seed(0)
model = Focal().to(device).eval()
compiled = torch.compile(model, backend="openxla")
total = torch.zeros((), device=device)
with torch.no_grad():
    for step in range(14):
        model.gamma = 1.5 + step / 10
        total += compiled(torch.randn(4, 8).to(device))
        torch_xla.sync()  # <- barrier
