import torch
from torch import nn
import torch.nn.functional as F


class AngleLoss(nn.Module):
    def forward(self, input, target):
        cos_theta = input
        index = cos_theta.data * 0.0
        index.scatter_(1, target.data.view(-1, 1), 1)
        index = torch.autograd.Variable(index.byte())
        output = cos_theta * 1.0
        output[index] -= cos_theta[index] * 0.5
        return F.log_softmax(output, 1).gather(1, target.view(-1, 1)).mean()


net = nn.Linear(4, 3).cuda()
criterion = AngleLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([(torch.zeros(4), 1)] * 8, batch_size=4, drop_last=True):
    out = net(x.cuda())
    loss = criterion(out, y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
