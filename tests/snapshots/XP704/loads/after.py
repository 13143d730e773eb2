import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
model.load_state_dict(torch.load("model.pt", weights_only=True, map_location="cpu")["state_dict"])
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
model.load_state_dict(torch.hub.load_state_dict_from_url("http://host/model.pt", map_location="cpu"))
model.load_state_dict(torch.hub.load_state_dict_from_url("http://host/model.pt", "models", "cpu"))
model.load_state_dict(torch.utils.model_zoo.load_url("http://host/model.pt", progress=False, map_location="cpu"))
scripted = torch.jit.load("scripted.pt").to(device)
checkpoint = torch.load(
    "model.pt",
    weights_only=False, map_location="cpu",  # it holds the options, too
)
