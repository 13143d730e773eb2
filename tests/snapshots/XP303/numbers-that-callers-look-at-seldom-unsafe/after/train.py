import losses
import torch
from losses import losses_of


def train():
    net = torch.nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(20):
        x = torch.randn(4, 8).cuda()
        loss, parts, number = losses_of([net(x), net(x + 1)])
        optimizer.zero_grad()
        loss.backward()
        losses.clip(net.parameters())
        optimizer.step()
        if step % 10 == 0:
            shown = {f"part {i}": part for i, part in enumerate([float(value) for value in parts])}
            print("loss", float(number), shown)


train()
