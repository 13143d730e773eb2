import torch

x = torch.zeros(3)
y = x.pin_memory("cuda").to("cuda", non_blocking=True)
z = x.pin_memory(device="cuda")
