import torch

import train

policy, steps = torch.load("policy.pt", map_location="cpu")
print(policy.act(torch.zeros(1, 4)), train.Policy)
