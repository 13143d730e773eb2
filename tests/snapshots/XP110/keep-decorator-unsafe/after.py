import unittest

import torch


@unittest.skipIf(torch.cuda.device_count() < 2, "two GPUs are needed")
class Test(unittest.TestCase):
    pass
