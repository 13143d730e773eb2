import torch
from blocks import Block
from circle import Circle
from torch import nn

ONE = 1


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.utils.weight_norm(nn.Linear(4, 4))
        self.parts = nn.Sequential(Block(), Circle())

    def forward(self, x):
        return self.parts(self.first(x))


if __name__ == "__main__":
    model = Model().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = model(torch.randn(8, 4).cuda()).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
