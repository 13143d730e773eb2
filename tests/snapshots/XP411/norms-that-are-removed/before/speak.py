import torch

from vocoder import Critic, Vocoder


def load(path, device):
    vocoder = Vocoder(32)
    vocoder.load_state_dict(torch.load(path))
    vocoder.eval()
    vocoder.remove_weight_norm()
    vocoder.to(device)
    return vocoder


def main(path, loader):
    vocoder = load(path, "cuda")
    critic = Critic().to("cuda")
    for batch in loader:
        with torch.no_grad():
            print(critic(vocoder(batch.to("cuda"))).mean())
    critic.remove_weight_norm()
