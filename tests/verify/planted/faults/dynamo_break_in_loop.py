# planted: graph-break note, host-read, extra-execution
# A read in a loop: torch.compile does not compile the function at all, and says nothing.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3)).to(device).eval()
norms = []


def forward(x):
    for layer in layers:
        x = layer(x)
        norms.append(x.norm().item())  # <- here
    return x


compiled = torch.compile(forward, backend="openxla")
with torch.no_grad():
    for step in range(8):
        compiled(torch.randn(4, 8).to(device))
        torch_xla.sync()
