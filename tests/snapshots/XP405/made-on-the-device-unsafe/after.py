import torch

device = torch.device("cuda")
adj = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 1.0], (2, 2), device=device)
print(torch.spmm(adj, torch.ones(2, 2, device=device)))
