import norms
import torch
import torch_xla


def train():
    net = torch.nn.Linear(8, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(20):
        loss = net(torch.randn(4, 8).to(torch_xla.device())).square().mean()
        optimizer.zero_grad()
        loss.backward()
        norm = norms.clip(net.parameters())
        optimizer.step()
        torch_xla.sync()
        if step % 10 == 0:
            print("norm", float(norm), "%.3f" % float(norm))


train()
