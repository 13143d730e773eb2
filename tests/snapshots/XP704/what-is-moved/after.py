import torch
from torch import nn

device = torch.device("cuda")
model = torch.load("model.pt", weights_only=False, map_location="cpu")["model"]
model = model.float()
model.to(device).eval()

other = torch.load("other.pt", weights_only=False, map_location="cpu")
other.eval()
if device.type == "cuda":
    other.cuda()
else:
    other.cpu()

checkpoint = torch.load("checkpoint.pt", weights_only=False, map_location="cpu")
weights = checkpoint["model"].float().state_dict()
net = nn.Linear(4, 2).to(device)
net.load_state_dict(weights)
net.load_state_dict({name: value for name, value in checkpoint["ema"].items() if name in weights})

table = torch.load("table.pt", map_location="cpu")
for name, value in table.items():
    print(name, value.shape)
published = torch.hub.load_state_dict_from_url("http://host/model.pt", map_location="cpu")
archive = torch.jit.load("scripted.pt")
corpus = torch.load("corpus.pt", weights_only=False, map_location="cpu")
print(len(corpus.train))
