import os
import unittest

import torch

skip_on_cpu = unittest.skipIf(os.environ.get("CI") and not torch.cuda.is_available(), "slow")
HAS_CUDA = torch.cuda.is_available()


@unittest.skipUnless(HAS_CUDA, "needs CUDA")
class Test(unittest.TestCase):
    pass
