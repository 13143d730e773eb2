import torch
from torch import nn

OPTIONS = {"load": {"map_location": "cuda"}, "places": ("cpu", "cuda:1")}


def restore(model, path, options):
    model.load_state_dict(torch.load(path, **options["load"]))
    model.load_state_dict(torch.load(path, map_location=options["places"][1]))


restore(nn.Linear(2, 2), "a.pt", OPTIONS)
