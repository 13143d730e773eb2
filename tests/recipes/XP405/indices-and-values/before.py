import torch
import torch_xla

device = torch_xla.device()
adjacency = torch.eye(4).to_sparse()
print(adjacency.indices().sum().item())
adjacency = adjacency.to(device)
x = torch.ones(4, 3).to(device)
print(torch.sparse.mm(adjacency, x).sum().item(), adjacency._indices().sum().item())
