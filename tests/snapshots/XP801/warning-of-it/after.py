import random

import torch
import torch.backends.cudnn as cudnn


def prepare(seed, fast):
    if seed is not None:
        random.seed(seed)
    if fast:
        print("this machine is fast")
        print("cudnn:", fast)
    print("cuDNN is", cudnn.enabled)


prepare(1, True)
net = torch.nn.Linear(2, 2).to("cuda")
