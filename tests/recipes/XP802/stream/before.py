import torch
import torch_xla

streams = [torch.cuda.Stream() for _ in range(2)]
x = torch.ones(3).to(torch_xla.device())
for stream in streams:
    with torch.cuda.stream(stream):
        x = x * 2
print(x.sum().item())
