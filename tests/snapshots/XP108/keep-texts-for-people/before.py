"""torch.cuda.FloatTensor"""
import torch

print("torch.cuda.FloatTensor")
x = torch.zeros(2).type("torch.FloatTensor")
if x.type() == "torch.FloatTensor":
    raise ValueError("torch.cuda.HalfTensor")
