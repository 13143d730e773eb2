import numpy as np
import torch
import torch.nn as nn


def normalize(mx):
    indices = torch.from_numpy(np.vstack((mx.row, mx.col)).astype(np.int64))
    return torch.sparse_coo_tensor(indices, torch.from_numpy(mx.data), torch.Size(mx.shape)).coalesce()


class GraphConvolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, 8))

    def forward(self, x, adj):
        return torch.spmm(adj, x @ self.weight)


def main(mx, features):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = GraphConvolution().to(device)
    adj = normalize(mx)
    adj = adj.to(device)
    features = features.to_sparse().cuda()
    other = torch.eye(8).to_sparse().to(device)
    return model(features, adj) + other


def chosen(weighted):
    device = torch.device("cuda")
    weights, ones = torch.ones(4, 4).to_sparse(), torch.eye(4).to_sparse()
    return (weights if weighted else ones).to(device)
