import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())
if x.is_cuda:
    import scan_cuda

    x = scan_cuda.forward(x)
print(x.sum().item())
