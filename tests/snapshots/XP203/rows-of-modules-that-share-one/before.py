import torch
from torch import nn
from zoo import MODELS

model_s = MODELS["s"]()
module_list = nn.ModuleList([])
module_list.append(model_s)
trainable_list = nn.ModuleList([])
trainable_list.append(model_s)
optimizer = torch.optim.SGD(trainable_list.parameters(), lr=0.1)
module_list.append(MODELS["t"]())
module_list.cuda()

known = nn.Linear(4, 4)
first, second = nn.ModuleList([known]), nn.ModuleList([])
second.append(known)
of_known = torch.optim.SGD(second.parameters(), lr=0.1)
first.cuda()

done = nn.Linear(4, 4).cuda()
third, fourth = nn.ModuleList([done]), nn.ModuleList([done])
done.cuda()
of_done = torch.optim.SGD(fourth.parameters(), lr=0.1)
third.cuda()

apart, beside = nn.Linear(4, 4), nn.Linear(4, 4)
fifth = nn.ModuleDict({"apart": apart})
sixth = nn.ModuleList()
sixth.extend([beside])
of_sixth = torch.optim.SGD(sixth.parameters(), lr=0.1)
fifth.cuda()
