import torch

with torch.random.fork_rng():
    torch.manual_seed(0)
    x = torch.randn(3)
