import numpy as np
import torch


class GIN(torch.nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.l = torch.nn.Linear(3, 2)

    def forward(self, batch_graph):
        x = torch.cat([g for g in batch_graph], 0).to(self.device)
        starts = np.cumsum([0] + [len(g) for g in batch_graph])
        idx = torch.LongTensor([[i, j] for i in range(len(batch_graph)) for j in range(starts[i], starts[i + 1])]).t()
        pool = torch.sparse.FloatTensor(idx, torch.ones(idx.shape[1]), torch.Size([len(batch_graph), starts[-1]]))
        return torch.spmm(pool.to(self.device), self.l(x))


def train(model, graphs, opt, device):
    for _ in range(6):
        selected = np.random.permutation(len(graphs))[:4]
        output = model([graphs[i] for i in selected])
        loss = torch.nn.functional.cross_entropy(output, torch.LongTensor([0] * 4).to(device))
        opt.zero_grad()
        loss.backward()
        opt.step()


def pass_data_iteratively(model, graphs, minibatch=4):
    model.eval()
    output = []
    for i in range(0, len(graphs), minibatch):
        output.append(model(graphs[i : i + minibatch]).detach())
    return torch.cat(output, 0)


device = torch.device("cuda:0")
model = GIN(device).to(device)
graphs = [torch.rand(n, 3) for n in range(5, 37)]
train(model, graphs, torch.optim.Adam(model.parameters()), device)
print(pass_data_iteratively(model, graphs).max(1)[1].sum().cpu().item())
