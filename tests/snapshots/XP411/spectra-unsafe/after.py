import torch
from torch import nn


def convolved_stft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True,
    pad_mode="reflect", normalized=False, onesided=True, return_complex=False,
):
    """stft() of real numbers: a convolution with the windowed waves of the transform, which XLA has a kernel for."""
    hop_length, win_length = hop_length or n_fft // 4, win_length or n_fft
    # In 32 bits at least, as autocast has stft() on a GPU.
    input = input.to(torch.promote_types(input.dtype, torch.float32))
    values = input.reshape(-1, 1, input.size(-1))
    if center:
        values = torch.nn.functional.pad(values, (n_fft // 2, n_fft // 2), mode=pad_mode)
    left = (n_fft - win_length) // 2
    window = input.new_ones(win_length) if window is None else window.to(input.dtype)
    window = torch.nn.functional.pad(window, (left, n_fft - win_length - left))
    # Whole turns are left out before they are rounded.
    places = torch.arange(n_fft, device=input.device)
    turns = places[: n_fft // 2 + 1 if onesided in (None, True) else n_fft].unsqueeze(1) * places % n_fft
    angle = turns * (2 * torch.pi / n_fft)
    kernels = window * torch.cat([torch.cos(angle), -torch.sin(angle)]).to(input.dtype)
    if normalized:
        kernels = kernels / n_fft**0.5
    with torch.autocast(input.device.type, enabled=False):
        spectra = torch.nn.functional.conv1d(values, kernels.unsqueeze(1), stride=hop_length)
    real, imaginary = spectra.unflatten(1, (2, -1)).unbind(1)
    spectra = real + 1j * imaginary if return_complex else torch.stack([real, imaginary], -1)
    return spectra if input.dim() > 1 else spectra[0]


device = torch.device("xla")
window = torch.hann_window(64, device=device)
model = nn.Linear(256, 256).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def magnitude(wave, n_fft, hop):
    spec = convolved_stft(wave, n_fft, hop_length=hop, window=window,
                          center=False, pad_mode="reflect", normalized=False, onesided=True, return_complex=False)
    return torch.sqrt(spec.pow(2).sum(-1) + 1e-6)


for wave in torch.utils.data.DataLoader(torch.zeros(64, 256), batch_size=8):
    wave = wave.to(device)
    out = model(wave)
    loss = (magnitude(out, 64, 16) - magnitude(wave, 64, 16)).abs().mean()
    loss = loss + torch.view_as_real(convolved_stft(out, 32, return_complex=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
