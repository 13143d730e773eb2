import os

import torch
import torch_xla


def main(loader):
    model = torch.nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    queue = None
    if os.path.isfile("queue.pt"):
        queue = torch.load("queue.pt", map_location="cpu")["queue"].to(torch_xla.device())
    if queue is None:
        queue = torch.zeros(16, 4).cuda()
    for x in loader:
        out = model(x.cuda())
        loss = out.square().mean() + torch.mm(queue, out.detach().t()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save({"queue": queue}, "queue.pt")


class Memory:
    def __init__(self, path):
        self.bank = torch.zeros(16, 4, device="cuda")
        if path:
            self.bank = torch.load(path, map_location="cpu").to(torch_xla.device())

    def scores(self, out):
        return self.bank @ out.t()


def two(path):
    x = torch.rand(4, 4).cuda()
    saved = torch.load(path)
    keys, values = saved["keys"], saved["values"]
    return torch.mm(keys, x), torch.mm(values, x)


def one(path):
    x = torch.rand(4, 4).cuda()
    saved = torch.load(path, map_location="cpu")
    basis = saved["basis"].to(torch_xla.device())
    return torch.mm(basis, x), saved["epoch"]
