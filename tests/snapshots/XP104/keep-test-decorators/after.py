import unittest

import pytest
import torch


@unittest.skipIf(not torch.cuda.is_available(), "no GPU")
class GpuTest(unittest.TestCase):
    pass


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_kernel():
    pass
