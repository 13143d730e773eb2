import torch
import torch_xla


def edges(t, sizes, values):
    edge = torch.zeros(t.size(), dtype=torch.uint8, device=torch_xla.device())
    one_hot = torch.zeros(torch.Size((1, 35, 8, 8)), device=torch_xla.device())
    noise = torch.randn(t.shape, device=torch_xla.device())
    ones = torch.empty(3, device=torch_xla.device()).fill_(1)
    size = t.size()
    later = torch.rand(size, device=torch_xla.device())
    unknown = torch.FloatTensor(sizes).to(torch_xla.device()).zero_()
    given = torch.FloatTensor((2, 3)).to(torch_xla.device()).zero_(), torch.zeros(t.size(0), device=torch_xla.device())
    return edge, one_hot, noise, ones, later, unknown, given, torch.FloatTensor(values).to(torch_xla.device())
