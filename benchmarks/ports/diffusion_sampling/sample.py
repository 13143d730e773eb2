"""Sample images from a diffusion model.

    python sample.py                            # trains a small denoiser first, nothing to download
    python sample.py --train-steps 400 --save-weights unet.pt
    python sample.py --weights unet.pt --steps 50 --out images
"""

import argparse
import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm

from scheduler import EulerDiscreteScheduler
from unet import UNet

SIZE = 16


def progress_bar(iterable):
    """A line on stderr for a loop over something that has a length."""
    total = len(iterable)
    for i, item in enumerate(iterable):
        print(f"\r{i + 1}/{total}", end="\n" if i + 1 == total else "", file=sys.stderr, flush=True)
        yield item


def make_batch(count):
    """Stripes in one of four directions, which is the class; values between -1 and 1."""
    labels = torch.randint(0, 4, (count,))
    phase = 2 * math.pi * torch.rand(count, 1, 1)
    angle = labels.view(-1, 1, 1) * (math.pi / 4)
    y, x = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    return torch.sin(angle.cos() * x + angle.sin() * y + phase).unsqueeze(1), labels


def direction(images):
    """The class that each image shows: across which of the four directions it changes least."""
    images = images[:, :, :, 0]
    moved = {
        0: images[:, 1:, :] - images[:, :-1, :],
        1: images[:, 1:, :-1] - images[:, :-1, 1:],
        2: images[:, :, 1:] - images[:, :, :-1],
        3: images[:, 1:, 1:] - images[:, :-1, :-1],
    }
    return np.stack([(moved[i] ** 2).mean(axis=(1, 2)) for i in range(4)], axis=1).argmin(axis=1)


def train(unet, scheduler, device, args):
    """Fit the denoiser, the class left out of every tenth image for the guidance."""
    optimizer = torch.optim.Adam(unet.parameters(), lr=args.lr)
    unet.train()
    for step in range(args.train_steps):
        images, labels = make_batch(args.batch_size)
        noise = torch.randn(images.shape)
        timesteps = torch.randint(0, scheduler.num_train_timesteps, (args.batch_size,))
        labels[torch.rand(args.batch_size) < 0.1] = unet.num_classes
        noisy = scheduler.add_noise(images, noise, timesteps)

        noisy, noise = noisy.to(device), noise.to(device)
        timesteps, labels = timesteps.to(device), labels.to(device)
        loss = F.mse_loss(unet(noisy, timesteps, labels), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if step % args.log_interval == 0 or step == args.train_steps - 1:
            print(f"step {step:4d} | loss {loss.item():.4f}")


@torch.no_grad()
def sample(unet, scheduler, labels, device, args):
    """Denoise pure noise, guided by the classes."""
    unet.eval()
    # the noise is made on the CPU, so that a seed means the same on every device
    generator = torch.Generator().manual_seed(args.seed)
    latents = torch.randn((len(labels), 1, SIZE, SIZE), generator=generator)

    scheduler.set_timesteps(args.steps)
    latents = latents.to(device) * scheduler.sigmas.max()
    labels = labels.to(device)
    null_labels = torch.full_like(labels, unet.num_classes)
    label_input = torch.cat([null_labels, labels])

    for i, t in enumerate(progress_bar(scheduler.timesteps)):
        # expand the latents, as we do classifier-free guidance
        latent_model_input = torch.cat([latents] * 2)
        latent_model_input = scheduler.scale_model_input(latent_model_input, t)

        # predict the noise residual
        noise_pred = unet(latent_model_input, t.to(device), label_input)
        noise_pred_uncond, noise_pred_label = noise_pred.chunk(2)
        noise_pred = noise_pred_uncond + args.guidance_scale * (noise_pred_label - noise_pred_uncond)

        # compute the previous noisy sample x_t -> x_t-1
        latents = scheduler.step(noise_pred, t, latents)
        torch_xla.sync()

    images = (latents / 2 + 0.5).clamp(0, 1)
    return images.cpu().permute(0, 2, 3, 1).float().numpy()


def save_image(image, path):
    pixels = (image[:, :, 0] * 255).round().astype(np.uint8)
    with open(path, "wb") as f:
        f.write(b"P5 %d %d 255\n" % (pixels.shape[1], pixels.shape[0]))
        f.write(pixels.tobytes())


def main():
    parser = argparse.ArgumentParser(description="Sampling from a diffusion model")
    parser.add_argument("--weights", metavar="PATH", help="load the denoiser instead of training it")
    parser.add_argument("--save-weights", metavar="PATH")
    parser.add_argument("--train-steps", type=int, default=240)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--log-interval", type=int, default=40)
    parser.add_argument("--steps", type=int, default=30, help="denoising steps")
    parser.add_argument("--guidance-scale", type=float, default=2.0)
    parser.add_argument("--num-images", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", metavar="DIR", help="write the images here, as PGM files")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch_xla.manual_seed(args.seed)
    device = torch_xla.device()

    unet = UNet()
    scheduler = EulerDiscreteScheduler()
    if args.weights:
        unet.load_state_dict(torch.load(args.weights, map_location="cpu"))
        unet.to(device)
    else:
        unet.to(device)
        train(unet, scheduler, device, args)
    if args.save_weights:
        xm.save(unet.state_dict(), args.save_weights)

    labels = torch.arange(args.num_images) % unet.num_classes
    xm.wait_device_ops()
    start = time.time()
    images = sample(unet, scheduler, labels, device, args)
    print(f"{args.steps / (time.time() - start):.1f} steps/s")

    right = int((direction(images) == labels.numpy()).sum())
    print(f"mean {images.mean():.4f} | std {images.std():.4f} | {right} of {len(images)} show their class")

    if args.out:
        os.makedirs(args.out, exist_ok=True)
        for i, image in enumerate(images):
            save_image(image, os.path.join(args.out, f"{i:05d}.pgm"))


if __name__ == "__main__":
    main()
