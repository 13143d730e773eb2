import random
import warnings

import torch
import torch.backends.cudnn as cudnn


def prepare(seed, fast):
    if seed is not None:
        random.seed(seed)
        cudnn.deterministic = True
        warnings.warn("You gave a seed. This turns on the cuDNN deterministic "
                      "setting, which may be slow.")
    if fast:
        cudnn.benchmark = True
        print("this machine is fast")
        print("cudnn:", fast)
    cudnn.enabled = True
    print("cuDNN is", cudnn.enabled)


prepare(1, True)
net = torch.nn.Linear(2, 2).to("cuda")
