import torch
import torch_xla

policy = torch.load("policy.pt", map_location="cpu").to(torch_xla.device())
print(policy.act(torch.zeros(1, 4, device="cuda")))
