import torch
from policy import Policy

policy = Policy().to("cuda")
print(policy.act(torch.zeros(3, 4, device="cuda")))
torch.save(policy, "policy.pt")
torch.save([policy, 3], "policy_and_steps.pt")
