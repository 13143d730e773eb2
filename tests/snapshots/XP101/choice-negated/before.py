import torch

device = torch.device("cpu" if not torch.cuda.is_available() else "cuda")
