import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(16, 16).to(device)
wave = model(torch.rand(8, 16, device=device))
spectrum = torch.stft(wave, n_fft=8, return_complex=True)
power = torch.linalg.vector_norm(torch.view_as_real(spectrum), dim=-1) ** 2
half = torch.linalg.vector_norm(torch.view_as_real(torch.fft.rfft(wave)), dim=-1)
turned = torch.linalg.vector_norm(torch.view_as_real((torch.polar(wave, wave) * 2)[:4].unsqueeze(0)), dim=-1).sum()
phase = torch.linalg.vector_norm(torch.view_as_real((1j * wave).exp()), dim=-1)
