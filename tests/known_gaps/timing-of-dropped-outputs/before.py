import time

import torch
from torch import nn


def time_of(run, times=32):
    torch.cuda.synchronize()
    start = time.time()
    for _ in range(times):
        run()
    torch.cuda.synchronize()
    return (time.time() - start) / times


model = nn.Linear(512, 512).cuda().eval()
batch = torch.randn(128, 512).cuda()
print(time_of(lambda: model(batch)))
