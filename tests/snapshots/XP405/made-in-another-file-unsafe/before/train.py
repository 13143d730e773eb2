import torch

from graphs import Graphs, load_data


class Propagation(torch.nn.Module):
    def __init__(self, matrix, options):
        super().__init__()
        self.norm = Graphs.as_tensor(matrix).to(options.device)

    def forward(self, x):
        return torch.mm(self.norm, x)


def main(options, source, normalized):
    adjacency, features = load_data(source, normalized)
    if torch.cuda.is_available():
        adjacency = adjacency.cuda()
        features = features.cuda()
    read = Graphs.loaded("graph.npz", normalized).cuda()
    return Propagation(normalized, options)(torch.mm(adjacency, features)) + torch.mm(read, features)
