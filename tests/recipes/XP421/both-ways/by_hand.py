import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.LSTM(2, 4, batch_first=True)
        self.other = nn.LSTM(2, 4, batch_first=True)
        self.head = nn.Linear(8, 1)

    def forward(self, x, lengths):
        n = torch.as_tensor(lengths, device=x.device)[:, None]
        t = torch.arange(x.size(1), device=x.device)
        turned = torch.where(t < n, n - 1 - t, t)
        one, _ = self.one(x)
        other, _ = self.other(x.gather(1, turned[..., None].expand(-1, -1, x.size(2))))
        other = other.gather(1, turned[..., None].expand(-1, -1, other.size(2)))
        padded = torch.where((t < n)[..., None], torch.cat([one, other], 2), 0)
        return self.head(padded.sum(1))


device = torch_xla.device()
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
lengths = torch.tensor([4, 3, 2, 2])
for x in [torch.randn(4, 4, 2) for _ in range(6)]:
    loss = model(x.to(device), lengths).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
