import torch
import torch_xla


def train(g, d, opt_g, opt_d, loader):
    for real in loader:
        opt_d.zero_grad()
        loss_d = d(real).mean() - d(g(real).detach()).mean()
        loss_d.backward()
        opt_d.step()

        opt_g.zero_grad()
        loss_g = -d(g(real)).mean()
        loss_g.backward()
        opt_g.step()
        torch_xla.sync()
        print(loss_d.item(), loss_g.item())
