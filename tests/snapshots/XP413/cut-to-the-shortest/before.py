import torch
from torch.utils.data import DataLoader


def collate(waves):
    return torch.stack([wave[: min(len(wave) for wave in waves)] for wave in waves])


def keep_a_window(waves, least=8):
    size = min(len(wave) for wave in waves)
    assert size >= least
    return torch.stack([wave[:least] for wave in waves])


model = torch.nn.Linear(1, 1).to("xla")
waves = [torch.randn(30), torch.randn(40)]
for batch in DataLoader(waves, batch_size=2, collate_fn=collate):
    print(model(batch.to("xla")[..., None]).sum())
for batch in DataLoader(waves, batch_size=2, collate_fn=keep_a_window):
    print(model(batch.to("xla")[..., None]).sum())
