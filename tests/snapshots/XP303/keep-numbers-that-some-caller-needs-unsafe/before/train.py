import losses
import torch

last = 0.0


def train(show):
    global last
    net = torch.nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    total = 0.0
    for step in range(20):
        out = net(torch.randn(4, 8).cuda())
        loss, number = losses.first(out)  # each step looks
        if number > 9:
            optimizer.param_groups[0]["lr"] *= 0.5
        pair = losses.second(out)  # all of it goes on
        _, last = losses.third(out)  # others see it
        parts = losses.fourth([out])
        kind = losses.fifth(out)
        show(losses.sixth)
        number = losses.sixth(out)
        optimizer.zero_grad()
        (loss + pair[0]).backward()
        optimizer.step()
        if step % 10 == 0:
            print(parts, kind, number, pair)


train(print)
