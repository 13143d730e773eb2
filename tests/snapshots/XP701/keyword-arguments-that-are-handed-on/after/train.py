import dist_util
from torch import nn

model = nn.Linear(4, 2)
model.load_state_dict(dist_util.load_state_dict("model.pt", map_location="cpu"))
model.load_state_dict(dist_util.load_state_dict("model.pt", map_location="cpu"))
model.load_state_dict(dist_util.load_state_dict("model.pt", map_location="cpu", weights_only=True))
config = dist_util.load_config("config.txt", map_location="cuda")
