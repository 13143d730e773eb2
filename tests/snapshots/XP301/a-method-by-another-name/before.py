import torch
from torch import nn


class Watch:
    read = torch.Tensor.item

    def __init__(self):
        self.values = []

    def __call__(self, tensor):
        self.values.append(Watch.read(tensor))


watch = Watch()
names = {"a": 1}
look = names.get
model = nn.Linear(8, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
kept = torch.rand(3)
host = kept.tolist
for step in range(100):
    loss = model(torch.randn(16, 8).cuda()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    watch(loss)
    read = loss.item
    print(read())
    print(host(), look("a"))
    if step % 10 == 0:
        now = loss.detach().cpu
        print(now())
