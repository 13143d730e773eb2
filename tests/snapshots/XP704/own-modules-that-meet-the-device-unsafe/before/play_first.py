import torch

policy, steps = torch.load("policy_and_steps.pt")
print(policy.act(torch.zeros(1, 4, device="cuda")), steps)
