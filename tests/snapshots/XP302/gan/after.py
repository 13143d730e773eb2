import torch
import torch_xla

g, d = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
opt_g = torch.optim.SGD(g.parameters(), lr=1)
opt_d = torch.optim.SGD(d.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    out = d(x).mean()
    out.backward()
    D_x = out.mean()
    opt_d.step()
    loss = d(g(x)).mean()
    loss.backward()
    D_z = loss.mean()
    opt_g.step()
    torch_xla.sync()
    D_x = D_x.item()
    D_z = D_z.item()
    print(D_x, D_z)
