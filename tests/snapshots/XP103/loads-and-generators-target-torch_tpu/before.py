import torch

DEVICE = "cuda"
state = torch.load("model.pt", map_location="cuda")
other = torch.load("other.pt", map_location=DEVICE)
generator = torch.Generator(device="cuda").manual_seed(1)
noise = torch.randn(4, device=DEVICE, generator=generator)
