import torch


class Loader:
    def __init__(self, matrix, device):
        self.graph = torch.sparse_coo_tensor(matrix.places, matrix.values, matrix.shape)
        self.graph = self.graph.coalesce().to(device)
