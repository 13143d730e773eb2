import torch
import torch_xla

device = torch_xla.device()
adjacency = torch.eye(4).to_sparse()
print(adjacency.indices().sum().item())
indices = adjacency.indices().to(device)
values = adjacency.values().to(device)
x = torch.ones(4, 3).to(device)
print(torch.zeros(4, x.size(1), device=x.device).index_add(0, indices[0], values[:, None] * x.index_select(0, indices[1])).sum().item(), indices.sum().item())
