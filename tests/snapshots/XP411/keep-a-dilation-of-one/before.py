import torch.nn.functional as F
from torch import nn


class Pool(nn.MaxPool2d):
    def forward(self, x):
        return F.max_pool2d(x, self.kernel_size, self.stride, self.padding, self.dilation)


model = nn.Sequential(nn.Conv2d(3, 4, 3), Pool(2)).cuda()
