import torch
import torch_xla

device = torch_xla.device()
state = torch.load("model.pt", map_location=device)
