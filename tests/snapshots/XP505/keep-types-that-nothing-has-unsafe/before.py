import torch

x = torch.zeros(2, device="cuda")
buckets = {type(x): [x]}
if torch.cuda.HalfTensor in buckets:
    print("half parameters may be slow")
if type(x) == torch.cuda.HalfTensor or isinstance(x, (torch.HalfTensor, torch.cuda.HalfTensor)):
    print("half")
