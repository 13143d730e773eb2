import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
G = torch.nn.Linear(4, 4).to(device)
D = torch.nn.Linear(4, 1).to(device)
opt_G = torch.optim.SGD(G.parameters(), lr=0.1)
opt_D = torch.optim.SGD(D.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8, drop_last=True)
done = 0
for epoch in range(3):
    for i, x in enumerate(loader):
        x = x.to(device)
        opt_D.zero_grad()
        loss_D = D(x).mean() - D(G(x).detach()).mean()
        loss_D.backward()
        opt_D.step()
        opt_G.zero_grad()
        if i % 5 == 0:
            loss_G = D(G(x)).mean()
            loss_G.backward()
            opt_G.step()
            if i % 10 == 0:
                xm.add_step_closure(
                    lambda epoch, i, loss_D, loss_G: print("%d %d [D loss: %f] [G loss: %f]" % (epoch, i, loss_D.item(), loss_G.item())),
                    args=(epoch, i, loss_D, loss_G),
                    run_async=True,
                )
            done += 5
        torch_xla.sync()
        if done == 10:
            torch.save(G.state_dict(), "G.pt")
