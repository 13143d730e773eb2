import os

import torch
import torch.backends.cudnn as cudnn

if tuple(map(int, torch.__version__.split("+")[0].split(".")[:3])) >= (2, 5, 0):
    torch.backends.cuda.enable_cudnn_sdp(False)
if list(map(os.remove, ["a.txt"])):
    cudnn.benchmark = True


def speed(seed=0):
    if seed == 0:  # slower
        cudnn.deterministic = True
        cudnn.benchmark = False
    else:  # faster
        cudnn.deterministic = False
        cudnn.benchmark = True
    return seed


speed(1)
