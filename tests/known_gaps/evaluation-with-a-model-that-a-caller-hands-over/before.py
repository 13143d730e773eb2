import torch


def validate(generator, loader, log):
    total = 0.0
    for mel, audio in loader:
        mel = mel.cuda()
        audio = audio.cuda()
        loss = 0.0
        for score, other in zip(generator(mel), generator(audio)):
            loss += torch.mean(torch.pow(other - score, 2))
        total += loss.item()
    log(total / len(loader))
