from spectra import Spectrum


def load():
    return Spectrum(16).to("cuda")
