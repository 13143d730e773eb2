import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
correct = 0
model.eval()
with torch.no_grad():
    for x in torch.ones(8, 2, 4):
        best = model(x.cuda()).max(1)[1]
        correct += best.eq(torch.ones(2, dtype=torch.long, device="cuda")).cpu().sum()
        print(correct / 2)
