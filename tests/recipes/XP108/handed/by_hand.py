import torch
import torch_xla

def build(device):
    return torch.FloatTensor([1.0, 2.0]).to(device)


x = build(torch_xla.device())
print(x.sum().item())
