import torch


def main(device):
    g = torch.nn.Linear(2, 2)
    d = torch.nn.Linear(2, 2)
    opt_g = torch.optim.Adam(g.parameters())
    opt_d = torch.optim.Adam(d.parameters())
    g.to(device)
    d.to(device)
    return opt_g, opt_d
