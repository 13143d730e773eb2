import torch

gpu = None
device = torch.device(f"cuda:{gpu}" if gpu is not None else "cuda")
other = torch.device("cuda:1") if gpu else torch.device("cuda:0")
maybe = torch.device(f"cuda:{gpu}" if gpu is not None else "cpu")
asked = torch.device("cuda:1" if input() else "cuda")
