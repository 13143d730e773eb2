import torch
from torch import nn


class Mix(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Parameter(torch.linalg.qr(torch.randn(channels, channels))[0])

    def forward(self, x):
        return x @ self.weight

    def reverse(self, y):
        return y @ self.weight.inverse()


class Flow(nn.Module):
    def __init__(self, channels, layers):
        super().__init__()
        self.layers = nn.ModuleList(Mix(channels) for _ in range(layers))

    def reverse(self, y):
        for layer in reversed(self.layers):
            y = layer.reverse(y)
        return y


model = Flow(3, 8).to("cuda").eval()
with torch.no_grad():
    for i in range(10):
        print(model.reverse(torch.randn(4, 3, device="cuda")).cpu().mean())
