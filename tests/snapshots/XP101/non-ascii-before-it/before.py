import torch

名前, device = "größe", torch.device("cuda")
