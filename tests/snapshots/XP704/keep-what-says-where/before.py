import torch
from torch import nn

import storage

model = nn.Linear(4, 2).cuda()


def load(path, map_location=None, **kwargs):
    first = torch.load(path, map_location)
    second = torch.load(path, **kwargs)
    third = torch.load(*kwargs["arguments"])
    return first, second, third


torch.load("model.pt", map_location="cpu")
torch.load("model.pt", torch.device("cpu"))
torch.load("model.pt", lambda storage, location: storage)
torch.hub.load_state_dict_from_url("http://host/model.pt", None, "cpu")
storage.load("model.pt")
model.load("model.pt")
"torch.load(path)"
