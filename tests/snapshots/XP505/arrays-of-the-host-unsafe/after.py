import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * 2


def predict(images, labels):
    model = Net().to("cuda").bfloat16()
    output = model(images.to("cuda").bfloat16())
    scores = output.softmax(-1).cpu().float().numpy()
    best = output.argmax(-1).cpu().numpy()
    wide = output.float().cpu().numpy()
    places = output.argmax(-1)
    taken = np.asarray(output.detach().cpu().float())
    numbers = output.tolist()
    return scores, best, wide, places.cpu().numpy(), taken, numbers, labels.cpu().numpy()
