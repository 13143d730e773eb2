import acme_gpu as gpu
import torch
import torch_xla

batch = torch.zeros(3).to(torch_xla.device())  # three of them
other = gpu.to_gpu(batch, device=1)
either = (batch if batch.numel() else other).to(torch_xla.device())
