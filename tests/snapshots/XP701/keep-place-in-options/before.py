import torch
from torch import nn

OPTIONS = {"load": {"map_location": "cpu"}, "places": ("cpu", "cuda:1"), "save": {"map_location": "cuda"}}


def restore(model, path, options):
    model.load_state_dict(torch.load(path, **options["load"]))
    model.load_state_dict(torch.load(path, map_location=options["places"][0]))


restore(nn.Linear(2, 2), "a.pt", OPTIONS)
