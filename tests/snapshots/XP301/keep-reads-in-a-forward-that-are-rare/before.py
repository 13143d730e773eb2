import torch


class Encoder(torch.nn.Module):
    def __init__(self, debug=False):
        super().__init__()
        self.debug = debug
        self.steps = 0
        self.model = torch.nn.Linear(4, 2)

    def forward(self, x):
        self.steps += 1
        y = self.model(x)
        if self.debug:
            print(y.mean().item())
        if self.steps % 100 == 0:
            print(y.mean().item())
        return y


class Unused(torch.nn.Module):
    def forward(self, x):
        return x.mean().item()


net = Encoder().to("cuda")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in [torch.rand(8, 4)] * 4:
    loss = net(x.to("cuda")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
