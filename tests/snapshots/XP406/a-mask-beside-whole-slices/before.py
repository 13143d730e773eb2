import torch
from torch import nn
from torch.utils.data import DataLoader


class FocalLoss(nn.Module):
    def forward(self, classifications, iou):
        out = []
        for j in range(classifications.shape[0]):
            classification = classifications[j, :, :]
            IoU_max, IoU_argmax = torch.max(iou[j], dim=1)
            targets = torch.ones(classification.shape) * -1
            targets = targets.cuda()
            targets[torch.lt(IoU_max, 0.4), :] = 0
            positive_indices = torch.ge(IoU_max, 0.5)
            targets[positive_indices, :] = 0
            out.append((classification * targets).sum() + classification[positive_indices, :].sum())
        return torch.stack(out).mean()


net = nn.Linear(4, 4).cuda()
crit = FocalLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.rand(16, 8, 4), batch_size=2, drop_last=True):
    x = x.cuda()
    loss = crit(net(x), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
