import torch


@torch.no_grad()
def sample(unet, scheduler, latents):
    unet.eval()
    for t in scheduler.timesteps:
        noise = unet(latents, t)
        latents = scheduler.step(noise, t, latents).prev_sample
    return latents
