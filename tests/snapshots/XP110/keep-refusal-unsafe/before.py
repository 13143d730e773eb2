import sys

import torch

if torch.cuda.device_count() < 2:
    print("two GPUs are needed")
    sys.exit(1)
assert torch.cuda.device_count() >= 2


def test(case):
    if torch.cuda.device_count() < 4:
        case.skipTest("four GPUs are needed")
    if not torch.cuda.device_count() > 1:
        return
