import numpy as np
import torch
from torch import nn


def boxes_of(images, net):
    return net(images).detach().cpu().numpy()


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(3, 4, 3)

    def detect(self, images):
        return np.array(boxes_of(images, self.net))
