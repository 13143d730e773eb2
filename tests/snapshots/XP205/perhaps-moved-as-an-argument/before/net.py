from torch import nn


class Words(nn.Module):
    def __init__(self, count, width, tied):
        super().__init__()
        self.embed = nn.Embedding(count, width)
        self.head = nn.Linear(width, count)
        if tied:
            self.head.weight = self.embed.weight

    def forward(self, x):
        return self.head(self.embed(x))
