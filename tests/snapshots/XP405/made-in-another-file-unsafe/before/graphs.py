import numpy as np
import torch


def as_tensor(matrix):
    coo = matrix.tocoo()
    indices = torch.from_numpy(np.vstack((coo.row, coo.col)).astype(np.int64))
    return torch.sparse.FloatTensor(indices, torch.from_numpy(coo.data), torch.Size(coo.shape))


def load_data(adjacency, features):
    adjacency = adjacency + adjacency.T
    adjacency = as_tensor(adjacency)
    return adjacency, torch.FloatTensor(features.todense())


class Graphs:
    @staticmethod
    def as_tensor(matrix):
        return as_tensor(matrix)

    @classmethod
    def loaded(cls, path, matrix):
        return cls.as_tensor(matrix)
