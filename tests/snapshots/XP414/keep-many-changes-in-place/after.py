import torch
from torch import nn

# Each change may come after each other one: the ways through them are more than there is time for.


def train(loader, flags):
    model = nn.Linear(4, 4).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        x = x.cuda().expand(4, 4)
        for _ in flags:
            if flags[0]:
                x += 0
            if flags[1]:
                x += 1
            if flags[2]:
                x += 2
            if flags[3]:
                x += 3
            if flags[4]:
                x += 4
            if flags[5]:
                x += 5
            if flags[6]:
                x += 6
            if flags[7]:
                x += 7
            if flags[8]:
                x += 8
            if flags[9]:
                x += 9
            if flags[10]:
                x += 10
            if flags[11]:
                x += 11
            if flags[12]:
                x += 12
            if flags[13]:
                x += 13
            if flags[14]:
                x += 14
            if flags[15]:
                x += 15
            if flags[16]:
                x += 16
            if flags[17]:
                x += 17
            if flags[18]:
                x += 18
            if flags[19]:
                x += 19
            if flags[20]:
                x += 20
            if flags[21]:
                x += 21
            if flags[22]:
                x += 22
            if flags[23]:
                x += 23
            if flags[24]:
                x += 24
            if flags[25]:
                x += 25
            if flags[26]:
                x += 26
            if flags[27]:
                x += 27
            if flags[28]:
                x += 28
            if flags[29]:
                x += 29
        opt.zero_grad()
        model(x).sum().backward()
        opt.step()
