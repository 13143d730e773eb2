# planted: recompile@differs seen@barrier
# Layer after layer is turned to bfloat16 while it runs.
import torch
import torch_xla
from torch import nn


class Mixed(nn.Sequential):
    def forward(self, x):
        for layer in self:
            x = layer(x.to(layer.weight.dtype))  # <- differs
        return x


device = torch_xla.device()
model = Mixed(*[nn.Linear(8, 8) for _ in range(10)]).to(device)
with torch.no_grad():
    for step in range(10):
        model[step].bfloat16()
        y = model(torch.randn(4, 8).to(device))
        torch_xla.sync()  # <- barrier
