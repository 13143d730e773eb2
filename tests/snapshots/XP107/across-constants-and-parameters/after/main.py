import torch
from config import DEVICE
from sampling import generator, on_host

g = torch.Generator()
h = generator("cuda", seed=1)
k = on_host()
