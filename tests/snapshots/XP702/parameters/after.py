import torch
import torch_xla.core.xla_model as xm
from torch import nn

net = nn.Linear(4, 2).cuda()
torch.save(net.parameters(), "net.pt")
torch.save(list(net.parameters()), "net.pt")
torch.save(dict(net.named_parameters()), "net.pt")
torch.save({"weight": net.weight}, "net.pt")
torch.save(net.state_dict(keep_vars=True), "net.pt")
xm.save({"weight": net.weight.detach(), "bias": net.bias.data}, "net.pt")
xm.save({name: p.data for name, p in net.named_parameters()}, "net.pt")
