import torch

device = torch.device("cpu")
meta = torch.device("meta")
