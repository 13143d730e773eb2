import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(16, 16).to(device)
wave = model(torch.rand(8, 16, device=device))
real = torch.fft.irfft(torch.fft.rfft(wave)).abs()
parts = torch.stft(wave, n_fft=8, return_complex=False).abs()
plain = wave.abs() + torch.abs(wave)
conjugate = torch.fft.rfft(wave).conj().abs()
host = torch.fft.rfft(torch.rand(8, 16)).abs()
either = torch.fft.rfft(wave) if wave.shape[0] > 3 else wave
unknown = either.abs()
