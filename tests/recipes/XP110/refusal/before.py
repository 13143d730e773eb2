import torch
import torch_xla

if torch.cuda.device_count() < 2:
    raise SystemExit("two GPUs are needed")
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
