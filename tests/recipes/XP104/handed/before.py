import torch
import torch_xla

def chosen(ask):
    return torch_xla.device() if ask() else torch.device("cpu")


print(torch.ones(3).to(chosen(torch.cuda.is_available)).sum().item())
