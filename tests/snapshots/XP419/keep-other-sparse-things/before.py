import scipy.sparse
import torch
from torch import nn


class Embedding:
    def __init__(self, n, sparse):
        self.n, self.sparse = n, sparse


class SparseAdam:
    pass


own = Embedding(10, sparse=True)
optimizer = SparseAdam()
dense = nn.Embedding(10, 4, sparse=False).to("cuda")
bag = nn.EmbeddingBag(10, 4, mode="max", sparse=True).to("cuda")  # XLA ignores it, with a warning
matrix = scipy.sparse.eye(3)
note = "nn.Embedding(10, 4, sparse=True)"
