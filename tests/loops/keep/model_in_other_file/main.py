"""Loops in the files that a program is made of, none of which is a step."""

import torch
from model import Net
from prepare import normalise, windows

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = windows(torch.linspace(0, 1, 24), 8)
batches = list(normalise(data.split(4)))
net = Net().to(device)
net.encoder.reset()
sizes = {}
for name, value in net.state_dict().items():
    sizes[name] = tuple(value.shape)
print(sizes)
print(net(batches[0].to(device)).shape)
