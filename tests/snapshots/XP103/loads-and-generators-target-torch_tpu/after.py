import torch

DEVICE = "tpu"
state = torch.load("model.pt", map_location="tpu")
other = torch.load("other.pt", map_location=DEVICE)
generator = torch.Generator(device="tpu").manual_seed(1)
noise = torch.randn(4, device=DEVICE, generator=generator)
