import torch
import torch_xla

import torch.nn.functional as F

q = torch.ones(2, 16, 4, 8).to(torch_xla.device())
q = q.transpose(1, 2)
print(F.scaled_dot_product_attention(q, q, q, is_causal=True).sum().item())
