import torch
from torch import nn

net = nn.Linear(4, 2).cuda()


def sometimes(on_gpu):
    options = {}
    if not on_gpu:
        options["map_location"] = "cpu"
    net.load_state_dict(torch.load("weights.pt", **options))


def never(trusted):
    options = dict(mmap=True)
    if trusted:
        options["weights_only"] = False
    net.load_state_dict(torch.load("weights.pt", **options))


def always(on_gpu):
    options = {}
    options["map_location"] = "cpu"
    net.load_state_dict(torch.load("weights.pt", **options))
    more = {"map_location": "cpu"}
    net.load_state_dict(torch.load("weights.pt", **more))


def unknown(options, path):
    net.load_state_dict(torch.load(path, **options))
    own = {}
    fill(own)
    net.load_state_dict(torch.load(path, **own))
