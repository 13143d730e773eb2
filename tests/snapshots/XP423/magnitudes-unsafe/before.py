import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(16, 16).to(device)
wave = model(torch.rand(8, 16, device=device))
spectrum = torch.stft(wave, n_fft=8, return_complex=True)
power = spectrum.abs() ** 2
half = torch.abs(torch.fft.rfft(wave))
turned = (torch.polar(wave, wave) * 2)[:4].unsqueeze(0).abs().sum()
phase = (1j * wave).exp().abs()
