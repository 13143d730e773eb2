import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("weight", torch.tensor(0.5))
        self.register_buffer("scale", torch.tensor(0.5))

    def forward(self, x):
        out = self.layer(x)
        near = (out - x).square().mean() if self.training and self.weight != 0 else torch.tensor(0.0)
        far = torch.zeros(1) if self.scale == 0 else out.abs().mean()
        extra = torch.zeros(())
        if out.sum() > 0:
            extra = out.mean()
        more = torch.zeros(1, device=x.device)
        if self.training and (out > 0).any():
            more = out.amax()
        if self.training and out.norm() > 1:
            out = out / out.norm()
        else:
            out = out * 2
        if x.size(0) > 4 and (self.scale > 0 or out.amin() < 0):
            out = out + self.layer(out)
        if out.relu().mean():
            out = out - 1
        return near, far, extra, more, out


device = torch.device("cuda")
model = Coder().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    near, far, extra, more, out = model(batch.to(device))
    loss = near + far.sum() + extra + more + out.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
