import torch
from torch import nn

device = torch.device("xla")
window = torch.hann_window(64, device=device)
model = nn.Linear(256, 256).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def magnitude(wave, n_fft, hop):
    spec = torch.stft(wave, n_fft, hop_length=hop, window=window,
                      center=False, pad_mode="reflect", normalized=False, onesided=True, return_complex=False)
    return torch.sqrt(spec.pow(2).sum(-1) + 1e-6)


for wave in torch.utils.data.DataLoader(torch.zeros(64, 256), batch_size=8):
    wave = wave.to(device)
    out = model(wave)
    loss = (magnitude(out, 64, 16) - magnitude(wave, 64, 16)).abs().mean()
    loss = loss + torch.view_as_real(out.stft(32, return_complex=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
