import torch
import torch_xla

batch_size = 64
x = torch.ones(batch_size, 3).to(torch_xla.device())
print(x.shape)
