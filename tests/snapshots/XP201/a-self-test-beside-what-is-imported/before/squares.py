import torch
from torch import nn


class Squares(nn.Module):
    def forward(self, x):
        return x.pow(2).mean()


if __name__ == "__main__":
    torch.manual_seed(1)
    if torch.cuda.is_available():
        torch.cuda.manual_seed(1)
    embed = nn.Embedding(8, 10)
    squares = Squares()
    optimizer = torch.optim.SGD(embed.parameters(), lr=1)
    for _ in range(10):
        loss = squares(embed(torch.arange(8)))
        print("loss", loss.data)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
