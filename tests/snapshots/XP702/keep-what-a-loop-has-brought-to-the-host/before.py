import torch
from torch import nn

models = {"net": nn.Linear(4, 4).cuda(), "average": nn.Linear(4, 4).cuda()}
saved = {}
for name, model in models.items():
    state = model.state_dict()
    for key, value in state.items():
        state[key] = value.detach().cpu()
    saved[name] = state
torch.save(saved, "all.pt")
