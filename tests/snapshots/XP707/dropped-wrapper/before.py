import torch
import torch_xla.core.xla_model as xm
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


def main(epochs):
    model = Net()
    model = model.to("xla")
    for epoch in range(epochs):
        if epoch % 5 == 0:
            xm.save(model.module.state_dict(), "model.pt")
            xm.save({"model": model.module.state_dict(), "epoch": epoch}, "last.pt")
