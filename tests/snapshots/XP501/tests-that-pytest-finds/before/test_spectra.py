import numpy as np
import torch

from spectra import Spectrum


def test_against_numpy():
    signal = np.random.randn(2, 16)
    layer = Spectrum(16).to(dtype=torch.double)
    assert np.allclose(layer(torch.from_numpy(signal)).numpy(), signal @ np.ones((16, 16)))
