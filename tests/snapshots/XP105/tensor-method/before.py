import torch

x = torch.zeros(3).pin_memory()
y = torch.ones(3)
y = y.pin_memory().to("cpu")
