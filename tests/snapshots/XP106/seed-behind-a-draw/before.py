import torch

device = torch.device("cuda")
print(len("ab"), torch.manual_seed(52).initial_seed())
# Seeded in front of the line, the device would draw other numbers for its first part.
print(torch.randn(2, device=device), torch.manual_seed(51).initial_seed())
