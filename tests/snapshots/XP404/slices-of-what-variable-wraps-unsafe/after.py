import torch
from torch.autograd import Variable

xs = Variable(torch.rand(500, 40))
ys = Variable(torch.zeros(500, 1))
model = torch.nn.Linear(40, 1).to("xla")
xs = xs.to("xla")
ys = ys.to("xla")
optimizer = torch.optim.Adam(model.parameters())
for i in range(0, xs.size(0), 32):
    if i + 32 > xs.size(0):
        x, y = xs[i:], ys[i:]
    else:
        x, y = xs[torch.arange(xs.size(0))[i : i + 32]], ys[torch.arange(ys.size(0))[i : i + 32]]
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
