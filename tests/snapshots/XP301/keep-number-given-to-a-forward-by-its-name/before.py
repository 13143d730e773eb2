import torch
class C(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4,4)
    def forward(self, inputs, first):
        if not first:
            inputs = self.lin(inputs)
        return inputs
    def sample(self):
        x = torch.zeros(1, 4).cuda()
        for i in range(10):
            x = self.forward(x, (i==0))
        return x
c = C().cuda()
opt = torch.optim.Adam(c.parameters())
for s in range(10):
    loss = c.sample().sum()
    opt.zero_grad(); loss.backward(); opt.step()
