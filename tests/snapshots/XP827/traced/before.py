"""A trace of a model on the device; one on the host is left alone."""

import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

from networks import get_network

writer = SummaryWriter()
net = nn.Sequential(nn.Conv2d(3, 4, 3)).to("xla")
writer.add_graph(net, torch.zeros(1, 3, 8, 8).to("xla"))
writer.add_graph(model=net, input_to_model=batch)
writer.add_graph(get_network(), torch.zeros(1, 3, 8, 8).to("xla"))
traced = torch.jit.trace(net, (torch.zeros(1, 3, 8, 8).to("xla"),))

on_host = nn.Sequential(nn.Conv2d(3, 4, 3))
writer.add_graph(on_host, torch.zeros(1, 3, 8, 8))
writer.add_graph(get_network(), torch.zeros(1, 3, 8, 8))
writer.add_graph(get_network(), batch)
writer.add_graph(on_host)
writer.add_graph(on_host.to("xla"), torch.zeros(1, 3, 8, 8))
