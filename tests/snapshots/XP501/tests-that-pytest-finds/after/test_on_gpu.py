import torch

from spectra import Spectrum


def test_precision():
    layer = Spectrum(16).to("cuda").double()
    assert layer(torch.ones(2, 16, dtype=torch.float64, device="cuda")).isfinite().all()
