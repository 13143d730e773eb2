import torch
from torch import nn


def add_weight_decay(model, weight_decay):
    decay = [p for p in model.parameters() if p.dim() > 1]
    rest = [p for n, p in model.named_parameters() if p.dim() < 2]
    return [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


device = torch.device("cuda")
model = nn.Linear(2, 2)
optimizer = torch.optim.AdamW(add_weight_decay(model, 0.1))
model.to(device)

net = nn.Linear(2, 2)
groups = add_weight_decay(net, 0.1)
second = torch.optim.AdamW(groups)
net.to(device)
