import torch
from torch import nn


class Smoothed(nn.Module):
    def __init__(self, cuda):
        super().__init__()
        self.cuda_too = cuda

    def forward(self, x, drawn):
        x = x.softmax(1)
        lower = torch.tril(torch.ones(x.size()), -1).bool()
        if self.cuda_too:
            lower = lower.cuda()
        x[lower] = 0
        odd = torch.rand(x.size()) > 0.5
        if self.cuda_too:
            odd = odd.cuda()
        x[odd] = 0
        x[odd] *= x[odd]
        pairs = torch.rand(8, 4)
        kept = torch.rand(8, 4) > 0.5
        if self.cuda_too:
            pairs = pairs.cuda()
            kept = kept.cuda()
        pairs.masked_fill_(kept, 0)  # together
        pairs.masked_fill_(pairs > 2, 1)
        return x.sum() + pairs.sum()


model = Smoothed(True).to("cuda")
layer = nn.Linear(4, 4).to("cuda")
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for batch in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    x = layer(batch.to("cuda"))
    loss = model(x, x)
    upper = torch.triu(torch.ones(8, 4, device="cuda")).bool()
    x.masked_fill_(upper[(...,) + (None,) * (x.dim() - upper.dim())], 0)
    loss = loss + x.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
