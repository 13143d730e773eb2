# planted: graph-break
# torch.compile cuts the function where it prints: two graphs in each step in place of one.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 8).to(device).eval()


def forward(x):
    hidden = model(x)
    print("hidden", tuple(hidden.shape))  # <- here
    return model(hidden).relu()


compiled = torch.compile(forward, backend="openxla")
with torch.no_grad():
    for step in range(8):
        compiled(torch.randn(4, 8).to(device))
        torch_xla.sync()
