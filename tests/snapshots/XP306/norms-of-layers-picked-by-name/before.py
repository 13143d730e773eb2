import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)).cuda()
writer = SummaryWriter()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    opt.zero_grad()
    loss = net(torch.randn(2, 4).cuda()).sum()
    loss.backward()
    opt.step()
    last = list(net.children())[-1]
    for name, para in last.named_parameters():
        if "weight" in name:
            writer.add_scalar("norm", para.grad.norm(), step)
