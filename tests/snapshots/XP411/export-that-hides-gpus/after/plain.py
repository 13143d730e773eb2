import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        return nn.functional.glu(x, dim=1)


if __name__ == "__main__":
    torch.onnx.export(Gate(), torch.zeros(1, 4), "gate.onnx")
