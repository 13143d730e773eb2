import torch_xla.core.xla_model as xm
from torch import nn


def state_of(model, weights):
    state = model.state_dict()
    for i, (name, _) in enumerate(model.named_parameters()):
        state[name] = weights[i]
    return state


def named(model):
    state = {}
    for name, weight in model.named_parameters():
        state[name] = weight.detach()
    return state


model = nn.Linear(4, 2).to("cuda")
average = [p.detach().clone() for p in model.parameters()]
xm.save(state_of(model, average), "average.pt")
xm.save(named(model), "named.pt")
both = {"values": model.weight.data, "weights": list(model.parameters())}
xm.save({"values": both["values"]}, "values.pt")
