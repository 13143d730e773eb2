import torch
import torch_xla

device = torch.device("cuda")
torch_xla.manual_seed(52)
print(len("ab"), torch.manual_seed(52).initial_seed())
# Seeded in front of the line, the device would draw other numbers for its first part.
print(torch.randn(2, device=device), torch.manual_seed(51).initial_seed())
