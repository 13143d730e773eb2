import torch

device = torch.device("cuda")
adj = torch.eye(4).to_sparse()
print(adj.indices())
adj = adj.to(device)
edges = adj._indices()
print(edges)
