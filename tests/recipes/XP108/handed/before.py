import torch
import torch_xla

def build(kind):
    return kind([1.0, 2.0])


x = build(torch.cuda.FloatTensor)
print(x.sum().item())
