import torch
import torch_xla as xla

device = torch.device("cuda")
