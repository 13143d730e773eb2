import acme_gpu as gpu
import torch

batch = gpu.to_gpu(torch.zeros(3))  # three of them
other = gpu.to_gpu(batch, device=1)
either = gpu.to_gpu(batch if batch.numel() else other)
