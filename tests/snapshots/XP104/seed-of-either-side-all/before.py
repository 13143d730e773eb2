import torch

if torch.cuda.is_available():
    torch.cuda.manual_seed(1)
else:
    torch.manual_seed(1)
x = torch.randn(3, device="cuda")
