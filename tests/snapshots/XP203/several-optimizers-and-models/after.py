import torch


def main(device):
    g = torch.nn.Linear(2, 2)
    d = torch.nn.Linear(2, 2)
    g.to(device)
    opt_g = torch.optim.Adam(g.parameters())
    d.to(device)
    opt_d = torch.optim.Adam(d.parameters())
    return opt_g, opt_d
