import torch
import torch_xla

with torch.random.fork_rng():
    torch.manual_seed(0)
    torch_xla.manual_seed(0)
    x = torch.randn(3)
