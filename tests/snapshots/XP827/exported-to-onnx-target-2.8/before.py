"""An export to ONNX by a trace, on the device; one on the host, and one without a trace, are left alone."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Conv2d(3, 4, 3)).to(device)


def export(model, path, device=device):
    x = torch.zeros(1, 3, 8, 8).to(device)
    torch.onnx.export(model, x, path, dynamo=False)
    torch.onnx.export(model, args=(x,), f=path, dynamo=False)
    torch.onnx.export(model, x, path)
    torch.onnx.export(model, x, path, dynamo=True)


export(net, "net.onnx")
on_host = nn.Sequential(nn.Conv2d(3, 4, 3))
torch.onnx.export(on_host, torch.zeros(1, 3, 8, 8), "host.onnx", dynamo=False)
