import torch
from torch import nn

net = nn.Linear(2, 2).cuda()
print(net(torch.ones(1, 2).cuda()))


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(2)

    def sample(self, n):
        return self.mean + torch.randn(n, 2)


def loss_of(model, samples):
    return (model(samples) + samples).square().sum(1).mean()


def toy():
    score = nn.Sequential(nn.Linear(2, 16), nn.Softplus(), nn.Linear(16, 2))
    teacher = Teacher()
    optimizer = torch.optim.Adam(score.parameters(), lr=0.001)
    for step in range(10):
        samples = teacher.sample(128)
        loss = loss_of(score, samples) + loss_of(score, samples.flip(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())
    score.cuda()
    return score


toy()
