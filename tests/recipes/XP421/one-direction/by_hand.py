import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(2, 4, batch_first=True)
        self.head = nn.Linear(4, 1)

    def forward(self, x, lengths):
        out, _ = self.rnn(x)
        mask = torch.arange(x.size(1), device=x.device) < lengths.to(x.device)[:, None]
        padded = torch.where(mask[..., None], out, 0)
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
