import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
checkpoint = torch.load("model.pt", map_location="cpu")
model.load_state_dict(checkpoint["model"])
model(checkpoint["x"].to(device))
latents = torch.load("latents.pt", map_location="cpu")
latents = latents.to(device)
model(latents)
noise = torch.load("noise.pt", map_location="cpu")
model(noise.to(device))
batches = torch.load("batches.pt", map_location="cpu")
for batch in batches:
    model(batch.to(device))
image = torch.load("image.pt", map_location="cpu")
plot(image.numpy(), model(image))
whole = torch.load("whole.pt", map_location="cpu", weights_only=False)
whole.to(device)
whole(latents)
on_host = torch.load("whole.pt", map_location="cpu", weights_only=False)
on_host(torch.zeros(1, 4))
