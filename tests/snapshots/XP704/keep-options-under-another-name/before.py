import torch
from torch import nn

model = nn.Linear(4, 2).to("xla")
options = {}
more = options
more["map_location"] = "cpu"
model.load_state_dict(torch.load("model.pt", **options))
