import torch
from torch import nn


class Contrast(nn.Module):
    def __init__(self, count, heat):
        super().__init__()
        self.register_buffer("options", torch.tensor([count, heat, -1.0]))
        self.register_buffer("memory", torch.rand(100, 4))

    def forward(self, x, places):
        count = int(self.options[0].item())
        heat = self.options[1].item()
        rows = self.memory[places.view(-1)].view(x.size(0), count + 1, 4)
        out = torch.bmm(rows, x.unsqueeze(-1)).div(heat).exp()
        self.options[2] = out.mean()
        return out


model = nn.Linear(4, 4).cuda()
contrast = Contrast(8, 0.5).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
places = torch.randint(0, 100, (4, 9)).cuda()
for step in range(100):
    loss = contrast(model(torch.rand(4, 4).cuda()), places).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
