import torch
from torch import nn


def state_of(model, weights):
    state = model.state_dict()
    for i, (name, _) in enumerate(model.named_parameters()):
        state[name] = weights[i]
    return state


def named(model):
    state = {}
    for name, weight in model.named_parameters():
        state[name] = weight
    return state


def listed(model):
    kept = []
    for weight in model.parameters():
        kept.append(weight)
    return kept


model = nn.Linear(4, 2).to("cuda")
weights = list(model.parameters())
torch.save(state_of(model, weights), "model.pt")
torch.save(named(model), "named.pt")
torch.save(listed(model), "listed.pt")
torch.save({"first": weights[0]}, "first.pt")
