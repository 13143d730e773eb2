import torch

device = torch.device("cuda")
adj = torch.eye(4).to_sparse().to("cpu")
adj = adj.to(torch.float64)
x = torch.ones(4, 4).to(device)
print(adj._indices(), x)
