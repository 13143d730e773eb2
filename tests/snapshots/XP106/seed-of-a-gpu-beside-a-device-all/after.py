import torch
import torch_xla
from torch import nn


class Squares(nn.Module):
    def forward(self, x):
        return x.pow(2).mean()


if __name__ == "__main__":
    torch.manual_seed(1)
    torch_xla.manual_seed(1)
    embed = nn.Embedding(8, 10).to(torch_xla.device())
    squares = Squares().to(torch_xla.device())
    optimizer = torch.optim.SGD(embed.parameters(), lr=1)
    for _ in range(10):
        loss = squares(embed(torch.arange(8).to(torch_xla.device())))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        print("loss", loss.data)
