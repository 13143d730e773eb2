import torch
import torch_xla
from torch import nn

device = torch_xla.device()
net = nn.Sequential(nn.Conv2d(3, 4, 3)).to(device)
x = torch.ones(1, 3, 8, 8).to(device)
torch.onnx.export(net, x, "net.onnx", dynamo=False)
print(net(x).mean().item())
