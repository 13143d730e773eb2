"""A demonstration that moves nothing: what its model gives may lie on the host."""

import argparse

import camera
import torch

from detector import Detector

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", default=False, type=bool)
args = parser.parse_args()


def show(net, frames):
    for frame in frames:
        found = net(torch.from_numpy(frame))
        for i in range(found.size(1)):
            j = 0
            while found[0, i, j, 0] >= 0.6:
                print((found[0, i, j, 1:] * 3).cpu().numpy())
                j += 1


if __name__ == "__main__":
    show(Detector().eval(), camera.frames())
