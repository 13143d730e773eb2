import torch
from torch import nn


class Turned(nn.Module):
    def __init__(self, left):
        super().__init__()
        self.left = left
        self.angles = nn.Parameter(torch.zeros(4, 4))

    def forward(self, x):
        one = torch.eye(4, device=x.device)
        turn = torch.linalg.solve(one + self.angles, one - self.angles, left=False)
        back = torch.linalg.solve(one - self.angles, one + self.angles)
        either = torch.linalg.solve(one, turn, left=self.left)
        whole = torch.linalg.tensorsolve(self.angles.view(2, 2, 4), turn[:2, :2])
        return x @ turn @ back + either + whole


turned = Turned(True).to("cuda")
optimizer = torch.optim.SGD(turned.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    turned(x.to("cuda")).sum().backward()
    optimizer.step()
