import torch

device = torch.device("cuda")
adj = torch.eye(4).to_sparse().to_dense().to(device)
sparse = torch.nn.Embedding(10, 4, sparse=True).to(device)
print(adj, sparse)
