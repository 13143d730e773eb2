import torch
import torch_xla


def validate(options, generator, critic, loader, log):
    generator.eval()
    critic.eval()
    total = torch.tensor([0.0], device=torch_xla.device())
    with torch.no_grad():
        for mel, audio in loader:
            fake = critic(generator(mel.cuda()))
            real = critic(audio.cuda())
            loss = 0.0
            for (features, score), (others, _) in zip(fake, real):
                loss += torch.mean(torch.pow(score - 1.0, 2))
                for a, b in zip(features, others):
                    loss += options.weight * torch.mean(torch.abs(a - b))
            total += loss
    log(total.item() / len(loader))
