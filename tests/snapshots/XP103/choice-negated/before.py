import torch

device = "cpu" if not torch.cuda.is_available() else "cuda"
x = torch.zeros(3).to(device)
