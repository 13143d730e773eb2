import torch
import torch_xla

from flash_attn import flash_attn_func

q = torch.ones(2, 16, 4, 8).to(torch_xla.device())
print(flash_attn_func(q, q, q, causal=True).sum().item())
