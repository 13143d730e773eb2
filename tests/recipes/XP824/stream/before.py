import torch
import torch_xla

stream = torch.cuda.Stream()
print(stream)
x = torch.ones(3).to(torch_xla.device())
with torch.cuda.stream(stream):
    x = x * 2
print(x.sum().item())
