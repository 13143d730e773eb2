import norms
import torch


def train():
    net = torch.nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(20):
        loss = net(torch.randn(4, 8).cuda()).square().mean()
        optimizer.zero_grad()
        loss.backward()
        norm = norms.clip(net.parameters())
        optimizer.step()
        if step % 10 == 0:
            print("norm", norm, "%.3f" % norm)


train()
