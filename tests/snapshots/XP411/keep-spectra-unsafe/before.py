"""What lies on the host, what takes more than the fix knows, and what is only handed on stays."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("xla")
model = nn.Linear(33, 33).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
options = {"n_fft": 64, "return_complex": False}


class Waves(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        spec = torch.stft(torch.zeros(256), 64, return_complex=False)
        return spec.pow(2).sum(-1).t()


for spec in DataLoader(Waves(), batch_size=8):
    out = model(spec.to(device))
    again = torch.stft(out.flatten(1), **options)
    apart = torch.stft(out.flatten(1), 64, center=False, align_to_window=True, return_complex=False)
    loss = out.mean() + again.mean() + apart.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
