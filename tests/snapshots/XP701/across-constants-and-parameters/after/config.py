import torch

DEVICE = "cuda:0"
WHERE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
HOST = "cpu"
