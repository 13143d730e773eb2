import torch

policy = torch.load("policy.pt")
print(policy.act(torch.zeros(1, 4, device="cuda")))
