import torch
from sounds import Sounds, loudness
from torch import nn
from torch.utils.data import DataLoader


def train(rank):
    device = torch.device(f"cuda:{rank}")
    model = nn.Linear(256, 256).to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    for sound, wanted in DataLoader(Sounds(), batch_size=4, drop_last=True):
        loss = nn.functional.l1_loss(loudness(model(sound.to(device))), wanted.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(0)
