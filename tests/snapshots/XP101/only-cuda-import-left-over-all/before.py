import torch.cuda as cuda
import torch

device = torch.device("cuda" if cuda.is_available() else "cpu")
