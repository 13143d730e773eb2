import torch
import torch_xla

device = torch_xla.device()
adjacency = torch.eye(4).to_sparse()
print(adjacency.indices().sum().item())
indices = adjacency.indices().to(device)
adjacency = adjacency.to_dense().to(device)
x = torch.ones(4, 3).to(device)
print((adjacency @ x).sum().item(), indices.sum().item())
