import torch

device = "cpu"
if torch.cuda.is_available():
    device = "cuda"
x = torch.zeros(3).to(device)
