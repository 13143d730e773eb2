import torch
from loader import Loader


class Propagation(torch.nn.Module):
    def __init__(self, loader: Loader):
        super().__init__()
        self.graph = loader.graph

    def dropout(self, graph, keep):
        kept = (torch.rand(len(graph.values())) + keep).int().bool()
        return torch.sparse_coo_tensor(graph.indices()[:, kept], graph.values()[kept] / keep, graph.size())

    def forward(self, x):
        graph = self.dropout(self.graph, 0.9) if self.training else self.graph
        return torch.mm(graph, x)


device = torch.device("cuda")
print(Propagation(Loader(torch.load("graph.pt"), device)).to(device))
