import torch

torch.backends.mkldnn.enabled = False
torch.backends.mps.flag = 1
torch.use_deterministic_algorithms(True)
