import torch
import torch_xla

batch_size = 64
x = torch.ones(batch_size // torch.cuda.device_count(), 3).to(torch_xla.device())
print(x.shape)
