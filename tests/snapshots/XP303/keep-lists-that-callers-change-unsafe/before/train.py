"""Where a caller changes the list, or has it by another name, a new list in its place would not do."""

import losses
import torch


def train():
    net = torch.nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(20):
        x = torch.randn(4, 8).cuda()
        loss = net(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sorted_there_parts = losses.sorted_there([net(x), net(x + 1)])
        if step % 10 == 0:
            sorted_there_parts.sort()
            print(sorted_there_parts)
        filled_parts = losses.filled([net(x), net(x + 1)])
        if step % 10 == 0:
            filled_parts.append(step)
            print(filled_parts)
        emptied_parts = losses.emptied([net(x), net(x + 1)])
        if step % 10 == 0:
            del emptied_parts[0]
            print(emptied_parts)
        set_there_parts = losses.set_there([net(x), net(x + 1)])
        if step % 10 == 0:
            set_there_parts[0] = 0.0
            print(set_there_parts)
        known_by_two_names_parts = losses.known_by_two_names([net(x), net(x + 1)])
        if step % 10 == 0:
            rows = known_by_two_names_parts
            rows.append(step)
            print(known_by_two_names_parts)
        compared_parts = losses.compared([net(x), net(x + 1)])
        if step % 10 == 0:
            print(compared_parts is None, compared_parts)
        kept_parts = losses.kept([net(x), net(x + 1)])
        if step % 10 == 0:
            best = {"parts": kept_parts}
            best["parts"].append(step)
            print(kept_parts)


train()
