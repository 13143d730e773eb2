import os

import torch


def main(loader):
    model = torch.nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    queue = None
    if os.path.isfile("queue.pt"):
        queue = torch.load("queue.pt")["queue"]
    if queue is None:
        queue = torch.zeros(16, 4).cuda()
    for x in loader:
        out = model(x.cuda())
        loss = out.square().mean() + torch.mm(queue, out.detach().t()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save({"queue": queue}, "queue.pt")
